// The demo company for the maintenance seed: people, devices, language.
import { sql } from 'kysely'
import type { Language } from '../../../../../contract/languages.ts'
import type { Db } from '../../../../../server/database/db.ts'
import { type Actor, serverActor } from '../../../../../server/identity/actor.ts'
import { addPeople } from '../company.ts'

export type Company = {
  EnterpriseId: number
  ProjectId: number
  GatewayId: number
  language: Language
  /** Ids by device name. */
  devices: ReadonlyMap<string, number>
  /** `device/point`. */
  points: ReadonlyMap<string, number>
  planner: number
  keeper: number
  /** Technicians. */
  workers: readonly number[]
  /** Epoch ms: the history reaches from `since` to `now`. */
  since: number
  now: number
}

/** Planner, storekeeper and checker, each with a role. */
const people = [
  { no: 'demo_clara', name: 'Clara Ibáñez', role: 'Planner' },
  { no: 'demo_tomas', name: 'Tomás Vega', role: 'Store keeper' },
  { no: 'demo_nuria', name: 'Nuria Vidal', role: 'Editor' },
]
const planning = ['m10607.cost', 'm10610.publish', 'm10611.correct']
const keeping = [
  ...['m106', 'm10601', 'm10602', 'm10604', 'm10606', 'm10607', 'm10608', 'm10610', 'm10613', 'm10614', 'm10615', 'm10622'],
  ...['m10622.settle', 'm104', 'm10401', 'm10405'],
  ...['add', 'edit', 'remove', 'stock', 'stocktake', 'cost'].map((button) => `m10607.${button}`),
  ...['add', 'edit', 'remove'].map((button) => `m10614.${button}`),
]
const addRoles = (db: Db, enterprise: number) =>
  db.all([
    sql`insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes")
      select "EnterpriseId", 'Planner', "RouteRole", "MenuCodes" || ${planning}::text[] from role
      where "EnterpriseId" = ${enterprise} and 'm10602.dispatch' = any("MenuCodes") and "RouteRole" = 'editor' order by "Id" limit 1 on conflict do nothing`,
    sql`insert into role ("EnterpriseId", "RoleName", "RouteRole", "MenuCodes") values (${enterprise}, 'Store keeper', 'editor', ${keeping}::text[]) on conflict do nothing`,
  ])

/** The company of a gateway, with missing people added. Undefined without a project or technicians: nothing to seed. */
export const companyOf = async (
  db: Db,
  gateway: number,
  { passwordHash, days, now }: { passwordHash: string; days: number; now: number },
) => {
  const [of] = await db.rows<{ EnterpriseId: number; ProjectId: number | null; Language: Language | null }>(sql`
    select g."EnterpriseId", g."ProjectId", e."Language" from gateway g join enterprise e on e."Id" = g."EnterpriseId" where g."Id" = ${gateway}`)
  if (!of?.ProjectId) return
  const { EnterpriseId, ProjectId } = of
  await addRoles(db, EnterpriseId)
  await addPeople(db, serverActor(EnterpriseId), passwordHash, people)
  const named = await db.rows<{ Id: number; UserNO: string }>(sql`
    select "Id", "UserNO" from "user" where "EnterpriseId" = ${EnterpriseId} and "UserNO" like 'demo\\_%' order by "Id"`)
  const idOf = (no: string) => named.find((u) => u.UserNO === no)?.Id
  const [planner, keeper] = [idOf('demo_clara'), idOf('demo_tomas')]
  const workers = ['demo_javier', 'demo_lucia'].flatMap((no) => idOf(no) ?? [])
  if (!planner || !keeper || !workers.length) return
  const rows = await db.rows<{ DeviceId: number; DeviceName: string; Id: number; ParaName: string }>(sql`
    select d."Id" as "DeviceId", d."DeviceName", p."Id", p."ParaName" from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${gateway}`)
  return {
    ...{ EnterpriseId, ProjectId, GatewayId: gateway, language: of.Language ?? 'en', planner, keeper, workers, now },
    devices: new Map(rows.map((r) => [r.DeviceName, r.DeviceId])),
    points: new Map(rows.map((r) => [`${r.DeviceName}/${r.ParaName}`, r.Id])),
    since: now - days * 86_400_000,
  } satisfies Company
}

/** An actor at a moment in the past. */
export const person = ({ EnterpriseId }: Company, UserId: number, at: number): Actor => ({
  ...{ ...serverActor(EnterpriseId), UserId, past: new Date(at) },
})
