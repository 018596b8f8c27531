// SPDX-License-Identifier: Apache-2.0
// Shelves, records of reading and goals.

import Surface
import Web

extension Routes {
    static let library: [Route<Dependencies>] =
        Route.all(ShelfEndpoint.self, run) + Route.all(RecordEndpoint.self, run) + Route.all(GoalEndpoint.self, run)

    private static func run(_ endpoint: ShelfEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listShelf: ListShelf.run
        case .getShelfBook: GetShelfBook.run
        case .editShelfBook: EditShelfBook.run
        case .shelfBookRecords: ListBookRecords.run
        case .shelfStatistics: GetReadingStatistics.run
        case .shelfChanges: ListShelfChanges.run
        case .sendShelfChanges: SendShelfChanges.run
        case .exportShelf: ExportShelf.run
        case .importShelf: ImportShelf.run
        }
    }

    private static func run(_ endpoint: RecordEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listRecords: ListRecords.run
        case .createRecord: CreateRecord.run
        case .getOwnRecord: GetOwnRecord.run
        case .putRecord: PutRecord.run
        case .deleteRecord: DeleteRecord.run
        case .favouriteRecord: FavouriteRecord.run
        case .unfavouriteRecord: UnfavouriteRecord.run
        case .favouriteRecords: ListFavouriteRecords.run
        case .noteProgress: NoteProgress.run
        case .earlierTexts: ListEarlierTexts.run
        case .shareRecord: ShareRecord.run
        case .accountRecords: ListAccountRecords.run
        case .getRecord: GetRecord.run
        }
    }

    private static func run(_ endpoint: GoalEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listGoals: ListGoals.run
        case .putGoal: PutGoal.run
        case .deleteGoal: DeleteGoal.run
        }
    }
}
