import type { Answer, Query } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { store } from '../../../../server/resource/store.ts'
import { type boardCalls, boardOrder, boardStatuses, mostCards } from '../board.ts'
import { allowedSteps } from '../steps.ts'
import { standingsOf } from './people.ts'

type Board = Answer<typeof boardCalls.board>
const cards = store(boardOrder)

/** Visible open orders, by state and due date. */
export const boardOf = async (db: Db, actor: Actor, asked: Query<typeof boardCalls.board>): Promise<Board> => {
  const Columns: Board['Columns'] = []
  for (const Status of boardStatuses) {
    const of = { ...asked, Status, PageSize: mostCards, OrderColumn: 'PlanFinishTime', ExactCount: 1 }
    const { Items, TotalCount } = await cards.list(db, actor, readListing(of))
    const ids = Items.map(({ Id }) => Id)
    const standing = await standingsOf(db, actor, ids)
    const shown = Items.map((order) => ({ ...order, Steps: allowedSteps(order, standing(order.Id)) }))
    Columns.push({ Status, TotalCount, Items: shown as Board['Columns'][number]['Items'] })
  }
  return { Columns }
}
