//! Tests of artifact folders on a scratch folder: every state a load can find, and saves that race.
//! The artifacts are made up; only their bytes matter here.

use std::time::Duration;

use super::*;
use crate::MathMode;

/// A folder that is removed at the end of the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("metal-oxide-artifact-{}", unique()));
        fs::create_dir_all(&path).expect("the scratch folder is new");
        Self(path)
    }

    fn artifact(&self) -> PathBuf {
        self.0.join("metal/src/main/vec_add-precise")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn inputs() -> Inputs {
    Inputs { request: sha256(b"the request"), compiler: "0.1.0".into(), profile: ReleaseProfile::default() }
}

fn artifact(msl: &str) -> Artifact {
    let manifest = Manifest {
        schema: MANIFEST_SCHEMA,
        file: "src/main.rs".into(),
        item: "vec_add".into(),
        math: MathMode::Precise,
        inputs: Inputs::default(),
        files: BTreeMap::new(),
        kernels: Vec::new(),
    };
    Artifact::new(UnitResult { manifest, msl: msl.into(), ir: "module".into() }, None, inputs())
}

/// Saves an artifact, damages it, and returns what a load says: the damaged file and why.
fn corruption(damage: impl FnOnce(&Path)) -> (String, String) {
    let scratch = Scratch::new();
    artifact("kernel").save(&scratch.artifact(), None).expect("saves");
    damage(&scratch.artifact());
    match Artifact::load(&scratch.artifact(), &inputs()) {
        SavedArtifact::Corrupt { file, why } => (file.file_name().expect("a file").to_string_lossy().into_owned(), why),
        other => panic!("the damage was not noticed: {other:?}"),
    }
}

fn reasons(today: &Inputs) -> Vec<String> {
    let scratch = Scratch::new();
    artifact("kernel").save(&scratch.artifact(), None).expect("saves");
    match Artifact::load(&scratch.artifact(), today) {
        SavedArtifact::Stale(reasons) => reasons,
        other => panic!("not stale: {other:?}"),
    }
}

#[test]
fn what_was_saved_is_loaded() {
    let scratch = Scratch::new();
    assert_eq!(Artifact::load(&scratch.artifact(), &inputs()), SavedArtifact::Missing);
    let mut saved = artifact("kernel void vec_add() {}\n");
    saved.save(&scratch.artifact(), None).expect("saves");
    assert_eq!(Artifact::load(&scratch.artifact(), &inputs()), SavedArtifact::Fresh(Box::new(saved.clone())));

    let result = UnitResult { manifest: saved.manifest, msl: saved.msl, ir: saved.ir };
    saved = Artifact::new(result, Some(vec![0xde, 0xad]), inputs());
    saved.save(&scratch.artifact(), None).expect("saves over the other");
    assert_eq!(Artifact::load(&scratch.artifact(), &inputs()), SavedArtifact::Fresh(Box::new(saved)));
}

#[test]
fn an_equal_artifact_is_not_written_again() {
    let scratch = Scratch::new();
    let file = scratch.artifact().join(MSL_FILE);
    let modified = || fs::metadata(&file).and_then(|metadata| metadata.modified()).expect("the file exists");
    let source = SystemTime::now() - Duration::from_secs(1000);
    artifact("one").save(&scratch.artifact(), Some(source)).expect("saves");
    assert!(modified().duration_since(source).unwrap_or_default() < Duration::from_secs(1), "the source's time stamp is taken over");
    let first = modified();
    artifact("one").save(&scratch.artifact(), None).expect("saves");
    assert_eq!(modified(), first);
    artifact("two").save(&scratch.artifact(), None).expect("saves");
    assert!(modified() > first);
}

#[test]
fn nothing_but_the_artifact_remains() {
    let scratch = Scratch::new();
    let parent = scratch.artifact().parent().expect("has a parent").to_path_buf();
    fs::create_dir_all(parent.join(".vec_add-precise.tmp-1-1")).expect("creates what an interrupted save leaves");
    fs::create_dir_all(parent.join(".other-precise.tmp-1-1")).expect("creates what another artifact's save is using");
    for msl in ["one", "two"] {
        artifact(msl).save(&scratch.artifact(), None).expect("saves");
    }
    let mut names: Vec<_> = fs::read_dir(&parent).expect("lists").map(|entry| entry.expect("reads").file_name()).collect();
    names.sort();
    assert_eq!(names, [".other-precise.tmp-1-1", "vec_add-precise"]);
}

#[test]
fn stale_artifacts_say_why() {
    let mut today = inputs();
    today.request = sha256(b"another request");
    assert_eq!(reasons(&today), ["the kernel changed: its code, its attributes or its place in the file"]);
    let mut today = inputs();
    today.compiler = "0.2.0".into();
    today.profile.overflow_checks = true;
    assert_eq!(
        reasons(&today),
        [
            "it was made by the kernel compiler 0.1.0, and this version of metal-oxide uses 0.2.0",
            "it was made with `overflow-checks = false`, and the release profile now says `overflow-checks = true`",
        ]
    );
}

#[test]
fn another_form_is_stale_whatever_it_holds() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.artifact()).expect("creates");
    fs::write(scratch.artifact().join(MANIFEST_FILE), r#"{"schema": 4711, "novelty": []}"#).expect("writes");
    let SavedArtifact::Stale(reasons) = Artifact::load(&scratch.artifact(), &inputs()) else { panic!("not stale") };
    assert_eq!(reasons, [format!("it is saved in form 4711, and this version of metal-oxide uses form {MANIFEST_SCHEMA}")]);
}

#[test]
fn damage_is_named() {
    let name = |damage: fn(&Path)| corruption(damage);
    let (file, why) = name(|folder| fs::write(folder.join(MANIFEST_FILE), "{\"schema\": 1,").expect("writes"));
    assert_eq!(file, MANIFEST_FILE);
    assert!(why.starts_with("is not a manifest: EOF while parsing"), "{why}");
    let (file, why) = name(|folder| fs::write(folder.join(MANIFEST_FILE), "{\"schema\": 1}").expect("writes"));
    assert_eq!(file, MANIFEST_FILE);
    assert!(why.starts_with("is not a valid manifest: missing field `file`"), "{why}");
    let (file, why) = name(|folder| fs::write(folder.join(MANIFEST_FILE), [0xff]).expect("writes"));
    assert_eq!((file.as_str(), why.as_str()), (MANIFEST_FILE, "is not UTF-8 text"));
    let (file, why) = name(|folder| fs::remove_file(folder.join(MANIFEST_FILE)).expect("removes"));
    assert_eq!((file.as_str(), why.as_str()), (MANIFEST_FILE, "is missing"));
    let (file, why) = name(|folder| fs::remove_file(folder.join(MSL_FILE)).expect("removes"));
    assert_eq!((file.as_str(), why.as_str()), (MSL_FILE, "is missing"));
    let (file, why) = name(|folder| fs::write(folder.join(IR_FILE), "edited").expect("writes"));
    assert_eq!((file.as_str(), why.as_str()), (IR_FILE, "is not the file that the manifest was saved with: its hash differs"));
}

#[test]
fn a_manifest_cannot_name_files_elsewhere() {
    let (file, why) = corruption(|folder| {
        let path = folder.join(MANIFEST_FILE);
        let text = fs::read_to_string(&path).expect("reads").replace(IR_FILE, "../../../secret");
        fs::write(path, text).expect("writes");
    });
    assert_eq!((file.as_str(), why.as_str()), (MANIFEST_FILE, "lists the file `../../../secret`, which no artifact has"));
}

#[test]
fn savers_and_readers_race() {
    let scratch = Scratch::new();
    artifact("0").save(&scratch.artifact(), None).expect("saves");
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let folder = scratch.artifact();
            scope.spawn(move || {
                for round in 0..40 {
                    artifact(&format!("{}", (writer + round) % 3)).save(&folder, None).expect("saves");
                }
            });
        }
        for _ in 0..2 {
            let folder = scratch.artifact();
            scope.spawn(move || {
                for _ in 0..80 {
                    let found = Artifact::load(&folder, &inputs());
                    assert!(matches!(found, SavedArtifact::Fresh(_)), "{found:?}");
                }
            });
        }
    });
}
