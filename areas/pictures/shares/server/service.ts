import { createHash, randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { named, table, visible } from '../../../../server/resource/sql.ts'
import { type Check, store } from '../../../../server/resource/store.ts'
import { type Kind, seenBy, share, targetOf } from '../contract.ts'

export type Share = Row<typeof share>
const targets = ['FlowchartId', 'VisualBoardId', 'ProjectId'] as const

/** Requires one target that the creator may see and viewers can open. */
const checkTarget: Check<typeof share> = async (db, actor, given, held) => {
  if (held) return given
  const kind = Number(given.Kind ?? share.fields.Kind.default) as Kind
  const target = targetOf[kind]
  assertHolds(actor, [seenBy[kind]])
  const faults = targets.flatMap((field) => {
    if (field === target) return given[field] ? [] : [{ field, rule: 'required' }]
    return given[field] ? [{ field, rule: 'share.otherKind' }] : []
  })
  if (faults.length) throw new FieldFaults(faults)
  const flowchart = named('flowchart')
  // An invisible target is refused as a reference.
  const [chart] = await db.rows<{ State: number }>(
    sql`select "State" from ${table(flowchart)} t where "Id" = ${given.FlowchartId ?? null} and ${visible(flowchart, actor)}`,
  )
  if (chart && chart.State !== 1) throw new FieldFaults([{ field: 'FlowchartId', rule: 'share.unpublished' }])
  return given
}
const shares = store(share, checkTarget)

export const hashOf = (token: string) => createHash('sha256').update(token).digest()
/** Bound to the token, which is not stored: a copy of the table does not reveal a PIN. */
export const pinHashOf = (token: string, pin: string) => hashOf(`${token} ${pin}`)
/** 192 random bits, for use in an address. */
export const newToken = () => randomBytes(24).toString('base64url')
const newPin = () => String(randomInt(1_000_000)).padStart(6, '0')

/** Creates a link. Only this answer contains its token and PIN. */
export const createShare = (db: Db, actor: Actor, given: Record<string, unknown>, now: number) =>
  db.tx(async (db) => {
    const made = await shares.create(db, actor, given)
    const Token = newToken()
    const Pin = made.WithPin ? newPin() : null
    const until = new Date(now + made.Hours * 3_600_000)
    await db.rows(sql`
      update share set "UserId" = ${actor.UserId}, "TokenHash" = ${hashOf(Token)}, "PinHash" = ${Pin && pinHashOf(Token, Pin)}, "ValidTo" = ${until} where "Id" = ${made.Id}`)
    return { ...(await shares.find(db, actor, made.Id)), Token, Pin }
  })
