import { sql } from 'kysely'
import type { Database } from '../server/database/db.ts'
import { figure } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Listed, ListJob } from './load/lists.ts'
import { asOwner, seedTenants, startWorld } from './world.ts'

const [tenants, gatewaysEach] = [100, 1000]
const [connections, seconds, people, writesPerSecond, rate] = [64, 8, 20, 10, 300]

const seed = async (database: Database) => {
  const ids = await seedTenants(database, tenants)
  await database.system.rows(sql`
    insert into gateway ("EnterpriseId", "GatewayName", "SN", "ProjectId")
    select p."EnterpriseId", 'Gateway ' || lpad((n * 7919 % 1000)::text, 4, '0'), 'LIST' || lpad((p."EnterpriseId" * 10000 + n)::text, 10, '0'), p."Id"
    from project p, generate_series(1, ${gatewaysEach}) n`)
  return ids
}

/** Page of 20 gateways whose name contains a text, with the count, as a manager of the tenant. */
export const lists = async () => {
  const loader = startLoader<ListJob, Listed>('lists.ts')
  let bare: Listed | undefined
  const filled = async (database: Database, url: string) => {
    const ids = await seed(database)
    // What autovacuum does within minutes of such an import.
    await asOwner(url, 'vacuum analyze')
    bare = await loader.run({ kind: 'bare', url, tenants: ids, seconds, connections: 16 })
  }
  // A fast machine answers each of them more than the 500 calls a second that a person has.
  const world = await startWorld(filled, { PENSTOCK_CALLS_PER_SECOND: '0' })
  try {
    const tokens: string[] = []
    for (let i = 1; i <= people; i++) tokens.push(await world.login(`manager${i}`))
    const job = { kind: 'http', origin: world.origin, tokens, connections } as const
    await loader.run({ ...job, seconds: 3 })
    const most = await loader.run({ ...job, seconds })
    // As in a plant that lives: nothing read before one of these writes is an answer after it.
    const [row] = (await world.call<{ Items: { Id: number }[] }>(tokens[0], 'POST', '/Project/Gateway/List', { PageSize: 1 })).Items
    let [writes, failed] = [0, undefined as unknown]
    const writing = setInterval(() => {
      world.call(tokens[0], 'PUT', '/Project/Gateway', { Id: row!.Id, Remark: `${writes++}` }).catch((error) => {
        failed = error
      })
    }, 1000 / writesPerSecond)
    const written = await loader.run({ ...job, seconds }).finally(() => clearInterval(writing))
    if (failed) throw failed
    const paced = await loader.run({ ...job, seconds, rate })
    return [
      figure('list calls', most.perSecond, 'calls/s', bare!.perSecond),
      figure(`list calls while ${writesPerSecond} rows a second change`, written.perSecond, 'calls/s', bare!.perSecond),
      figure(`list calls at ${rate}/s, p50`, paced.p50, 'ms', bare!.p50),
      figure(`list calls at ${rate}/s, p99`, paced.p99, 'ms', bare!.p99),
    ]
  } finally {
    await loader.end()
    await world.close()
  }
}
