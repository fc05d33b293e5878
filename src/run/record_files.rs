//! The record files of a world, each told once: its name, its writer, when it is written and how it
//! begins.

/// Defines the writers of a world's record files, from a line for each file.
///
/// The first `if` may ask the plan or the world; what comes after `=>` makes the writer from a sheet.
/// The lines of a writer are found along a path of its fields.
macro_rules! record_files {
    (
        $(#[$doc:meta])*
        $Files:ident$(<$a:lifetime>)?
        of $of:ident: $Of:ty, begun with $with:ident: $With:ty, on $sheet:ident;
        $($field:ident$(.$part:ident)*: $Writer:ty = $name:literal, $header:expr,
            if $is_written:expr => $begin:expr;)+
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        struct $Files$(<$a>)? {
            $($field: Option<$Writer>,)+
        }

        impl$(<$a>)? $Files$(<$a>)? {
            /// The kinds of records, in the order of their sheets.
            fn kinds($of: $Of) -> Vec<Option<$crate::world::Kind>> {
                vec![$({
                    let header: fn(&mut Vec<u8>) -> std::io::Result<()> = $header;
                    ($is_written).then_some(($name, header))
                }),+]
            }

            /// The writers of a replication, on its sheets.
            fn begin($with: $With, sheets: $crate::world::Sheets) -> Self {
                let mut sheets = sheets.into_iter();
                $Files { $($field: sheets.next().flatten().map(|$sheet| $begin),)+ }
            }

            /// The records that are being written, wherever their writers are.
            fn opened<'open>(
                $($field: &'open mut Option<$Writer>),+
            ) -> Vec<Option<&'open mut dyn $crate::sheet::OpenRecords>> {
                vec![$($field.as_mut().map(|one| $crate::sheet::open(&mut (*one)$(.$part)*))),+]
            }

            /// The sheets after the last lines.
            fn finish(self) -> Result<$crate::world::Sheets, records::files::FileError> {
                Ok(vec![$(self.$field.map(|one| $crate::sheet::finished(one$(.$part)*)).transpose()?),+])
            }
        }
    };
}

pub(crate) use record_files;
