//! Scenarios, traces, workload models and the gallery.

#[path = "../common/mod.rs"]
mod common;

mod at_once;
mod campaigns;
mod catalog;
mod draws;
mod gallery;
mod lublin;
mod reader;
mod schema;
mod swf;
