-- How words begin and every three syllables are terms too (decision 0034). What was written before has them when it was told again.
CREATE TABLE term_upgrades (
    since timestamptz PRIMARY KEY DEFAULT now()
);
INSERT INTO term_upgrades SELECT WHERE EXISTS (SELECT FROM documents);
