//! Prints the table of device features that the documentation shows.
//! Run it with `cargo run -p metal-oxide-artifact --example capabilities --locked`.

fn main() {
    print!("{}", metal_oxide_artifact::capability_table());
}
