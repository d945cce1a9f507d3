import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Resource } from '../../../../contract/resource.ts'
import type { Database, Db } from '../../../../server/database/db.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { record } from '../../../../server/resource/store.ts'
import type { OpenedPort } from '../contract.ts'

export type FirewallSettings = {
  /** `none` only records; `nft` sets elements of the set `inet penstock ports`, which the operator's rules use. */
  driver: 'none' | 'nft'
  from: number
  to: number
  /** Path of the nft program. */
  nft?: string
}
const run = promisify(execFile)
const standardMinutes = 120
/** Name in the log; not a resource of a tenant. */
const named = { name: 'firewallPort' } as Resource
type Row = Static<typeof OpenedPort>

export const firewallService = (database: Database, { driver, from, to, nft = 'nft' }: FirewallSettings) => {
  const system = database.system
  const check = (port: number) => {
    if (port < from || port > to)
      throw new FieldFaults([{ field: 'Port', rule: 'range', values: { min: from, max: to } }], 'portOutOfRange')
  }
  const element = async (verb: 'add' | 'delete', port: number, minutes?: number) => {
    if (driver === 'none') return
    const value = `{ ${port}${minutes ? ` timeout ${minutes}m` : ''} }`
    await run(nft, [verb, 'element', 'inet', 'penstock', 'ports', value], { timeout: 10_000 }).catch(() => {
      throw new Fault('firewallFailed')
    })
  }
  const time = (name: string, actor: Actor) =>
    sql`to_char(${sql.raw(`p."${name}"`)} at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS')`
  const rows = (db: Db, actor: Actor, port?: number) =>
    db.rows<Row>(sql`
      select p."Port", case when p."Status" = 1 and p."CloseTime" > now() then 1 else 0 end as "Status", ${time('OpenTime', actor)} as "OpenTime", ${time('CloseTime', actor)} as "CloseTime", u."UserName"
      from firewall_port p left join "user" u on u."Id" = p."UserId" where ${port ?? null}::int is null or p."Port" = ${port ?? null}::int order by p."OpenTime" desc limit 1000`)
  const entry = async (db: Db, actor: Actor, verb: 'create' | 'remove', port: number) => {
    const [row] = await rows(db, actor, port)
    await record(db, actor, named, verb, port, actor.EnterpriseId, verb === 'remove' ? row : null, verb === 'create' ? row : null)
    return row!
  }

  return {
    open: (actor: Actor, port: number, minutes = standardMinutes) => {
      check(port)
      return system.tx(async (db) => {
        await db.rows(sql`
          insert into firewall_port ("Port", "Status", "OpenTime", "CloseTime", "UserId") values (${port}, 1, now(), now() + make_interval(mins => ${minutes}), ${actor.UserId})
          on conflict ("Port") do update set "Status" = 1, "OpenTime" = now(), "CloseTime" = excluded."CloseTime", "UserId" = excluded."UserId"`)
        const row = await entry(db, actor, 'create', port)
        // Adding an existing element keeps its old timeout, so delete it first; deleting a missing one fails.
        await element('delete', port).catch(() => undefined)
        await element('add', port, minutes)
        return row
      })
    },
    close: (actor: Actor, port: number) => {
      check(port)
      return system.tx(async (db) => {
        const [held] = await db.rows<{ Open: boolean }>(
          sql`select "Status" = 1 and "CloseTime" > now() as "Open" from firewall_port where "Port" = ${port}`,
        )
        if (!held) throw new Fault('notFound')
        await db.rows(sql`update firewall_port set "Status" = 0, "CloseTime" = least("CloseTime", now()) where "Port" = ${port}`)
        const row = await entry(db, actor, 'remove', port)
        // An expired port is already closed.
        if (held.Open) await element('delete', port)
        return row
      })
    },
    state: async (actor: Actor) => ({ Driver: driver, From: from, To: to, Items: await rows(system, actor) }),
  }
}
