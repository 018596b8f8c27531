-- Keys of documents are written to a pending list first, and brought into the index by the transaction that wrote them: the entries
-- of one key together, instead of one document after the other (decision 0045).
SET LOCAL lock_timeout = '5s';

ALTER INDEX documents_keys SET (fastupdate = on);
