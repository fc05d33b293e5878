//! Searches in a complete binary tree that is kept in a list: node 1 is the root, and the leaves are the
//! second half.

/// Returns the first leaf from one on that `is` right, in a tree whose inner nodes are right if a leaf
/// below them is. Logarithmic in the number of leaves.
#[inline]
pub(super) fn first<T>(nodes: &[T], from: usize, is: impl Fn(&T) -> bool) -> Option<usize> {
    let leaves = nodes.len() / 2;
    if from >= leaves {
        return None;
    }
    let mut node = leaves + from;
    while !is(&nodes[node]) {
        // Up until there is something to the right, then into it.
        while node & 1 == 1 {
            node /= 2;
        }
        if node == 0 {
            return None;
        }
        node += 1;
    }
    while node < leaves {
        node = 2 * node + usize::from(!is(&nodes[2 * node]));
    }
    Some(node - leaves)
}
