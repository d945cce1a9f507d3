// Several rooms as one, and back.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { finished } from '../contract.ts'
import { ownRooms } from './rooms.ts'
import { lockRoom, type Room } from './sensors.ts'

const moment = (now: number) => new Date(now) as never

const assertMembers = (members: readonly Room[]) => {
  const refuse = (rule: string, values = {}) => new FieldFaults([{ field: 'MemberIds', rule, values }])
  if (members.length < 2) throw refuse('cold.twoMembers')
  const [first] = members
  const elsewhere = members.find(({ ProjectId }) => ProjectId !== first!.ProjectId)
  if (elsewhere) throw refuse('cold.memberElsewhere', { name: elsewhere.StorageName })
  const unready = members.find(({ InitStatus, IsCompose }) => InitStatus !== finished || IsCompose === 1)
  if (unready) throw refuse('cold.memberUnready', { name: unready.StorageName })
  const taken = members.find(({ ParentId }) => ParentId !== null)
  if (taken)
    throw new FieldFaults([{ field: 'MemberIds', rule: 'cold.memberTaken', values: { name: taken.StorageName } }], 'wrongState', {
      title: taken.StorageName,
    })
}

/** A limit that all members share. */
const shared = (members: readonly Room[], name: 'TempLow' | 'TempHigh' | 'TempSet' | 'HumLow' | 'HumHigh') =>
  members.every((room) => room[name] === members[0]![name]) ? members[0]![name] : null

export const composeRooms = (
  db: Db,
  actor: Actor,
  { StorageName, MemberIds }: { StorageName: string; MemberIds: readonly number[] },
  now: number,
) =>
  db.tx(async (db) => {
    const members: Room[] = []
    for (const id of [...new Set(MemberIds)].sort((a, b) => a - b)) members.push(await lockRoom(db, actor, id))
    assertMembers(members)
    const { ProjectId, StorageType, EnterpriseId } = members[0]!
    const { Id } = await ownRooms.create(db, actor, {
      ...{ StorageName: StorageName.trim() || members[0]!.StorageName, ProjectId, StorageType, IsCompose: 1, InitStatus: finished },
      ...{ TempLow: shared(members, 'TempLow'), TempHigh: shared(members, 'TempHigh'), TempSet: shared(members, 'TempSet') },
      ...{ HumLow: shared(members, 'HumLow'), HumHigh: shared(members, 'HumHigh'), ComposeTime: moment(now) },
    })
    for (const member of members) await ownRooms.update(db, actor, member.Id, { ParentId: Id })
    await db.rows(sql`
      insert into cold_member ("EnterpriseId", "ComposeId", "MemberId", "From")
      select ${EnterpriseId}, ${Id}, id, ${new Date(now)} from unnest(${members.map((member) => member.Id)}::bigint[]) id`)
    return ownRooms.find(db, actor, Id)
  })

export const splitRoom = (db: Db, actor: Actor, id: number, now: number) =>
  db.tx(async (db) => {
    // Locks members first, in the same order as composing, to avoid deadlocks.
    const ids = await db.rows<{ MemberId: number }>(
      sql`select "MemberId" from cold_member where "ComposeId" = ${id} and "Until" is null order by "MemberId"`,
    )
    const room = await ownRooms.find(db, actor, id)
    for (const { MemberId } of ids) await lockRoom(db, actor, MemberId)
    const again = await lockRoom(db, actor, id)
    if (again.IsCompose !== 1 || again.SplitTime !== null) throw new Fault('wrongState', { title: room.StorageName })
    for (const { MemberId } of ids) await ownRooms.update(db, actor, MemberId, { ParentId: null })
    await db.rows(sql`update cold_member set "Until" = greatest("From", ${new Date(now)}) where "ComposeId" = ${id} and "Until" is null`)
    return ownRooms.update(db, actor, id, { SplitTime: moment(now) })
  })
