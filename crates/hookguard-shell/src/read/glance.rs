//! A table's names at a glance: most programs stand in most tables not, and a search would compare a dozen names to say so.

/// Which names a table may hold, by their length, first and last byte.
pub(super) struct Glance([u64; 4]);

impl Glance {
    pub(super) const NONE: Glance = Glance([0; 4]);

    /// Of the rows of a table, each with its name first.
    pub(super) const fn of_rows<T>(rows: &[(&str, T)]) -> Glance {
        let (mut all, mut at) = (Glance::NONE, 0);
        while at < rows.len() {
            all = all.with(rows[at].0);
            at += 1;
        }
        all
    }

    pub(super) const fn with(mut self, name: &str) -> Glance {
        let bit = bit(name.as_bytes());
        self.0[bit / 64] |= 1 << (bit % 64);
        self
    }

    /// Whether `name` may be in the table.
    pub(super) const fn may_hold(&self, name: &str) -> bool {
        let bit = bit(name.as_bytes());
        self.0[bit / 64] & (1 << (bit % 64)) != 0
    }
}

const fn bit(name: &[u8]) -> usize {
    match name {
        [first, .., last] => (*first as usize * 7 + *last as usize * 31 + name.len() * 5) % 256,
        [only] => *only as usize,
        [] => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_table_is_seen_and_most_else_is_not() {
        static ROWS: [(&str, u8); 4] = [("sed", 0), ("awk", 0), ("[", 0), ("python", 0)];
        let glance = Glance::of_rows(&ROWS);
        assert!(ROWS.iter().all(|(name, _)| glance.may_hold(name)));
        let others = ["", "cargo", "git", "mkdir", "grep", "ls", "npm", "]", "node", "se", "awks"];
        assert!(others.iter().filter(|name| glance.may_hold(name)).count() < 2);
    }
}
