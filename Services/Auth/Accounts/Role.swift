// SPDX-License-Identifier: Apache-2.0
// Roles as they are stored.

import Domain
public import Postgres

extension Role: ColumnWord {}
