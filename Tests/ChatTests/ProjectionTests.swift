// SPDX-License-Identifier: Apache-2.0
// What chat knows of accounts, blocks and files, in whatever order it hears.
