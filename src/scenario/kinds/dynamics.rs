//! Sources of the dynamics of games.

use model::entry::Entry;

/// The dynamics that a game file may choose.
pub(super) const ENTRIES: &[Entry] = &[
    Entry { name: "replicator", citation: "Taylor and Jonker 1978" },
    Entry { name: "generations", citation: "Maynard Smith 1982" },
    Entry { name: "best_reply", citation: "Gilboa and Matsui 1991" },
    Entry {
        name: "gradient",
        citation: "Singh, Kearns and Mansour 2000; with two rates Bowling and Veloso 2002",
    },
    Entry { name: "turns", citation: "Monderer and Shapley 1996" },
    Entry { name: "log_linear", citation: "Blume 1993" },
    Entry { name: "imitation", citation: "see the imitations" },
];

/// The rules of imitation.
pub(super) const IMITATIONS: &[Entry] = &[
    Entry { name: "fermi", citation: "Traulsen, Nowak and Pacheco 2006" },
    Entry { name: "moran", citation: "Nowak, Sasaki, Taylor and Fudenberg 2004" },
    Entry { name: "proportional", citation: "Schlag 1998" },
];
