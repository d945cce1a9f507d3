import { sql } from 'kysely'
import '../areas/index.ts'
import { keepVersion, takeSnapshot } from '../areas/configuration/config-versions/server/service.ts'
import { buildConfig } from '../areas/configuration/gateways/server/config.ts'
import { precheck } from '../areas/configuration/gateways/server/precheck.ts'
import { canonical } from '../contract/gateway-config.ts'
import type { Database } from '../server/database/db.ts'
import { sleep } from './beside.ts'
import { figure, quantile, timed } from './figures.ts'
import { seedTenants, startWorld } from './world.ts'

const [points, changed, rounds] = [100_000, 1000, 5]

/** A gateway with many points, a version, and a thousand changes since. Bare limit: canonical JSON of both. */
const seed = async (database: Database) => {
  const { system } = database
  const [EnterpriseId] = await seedTenants(database, 1)
  const [gateway] = await system.rows<{ Id: number }>(sql`
    insert into gateway ("EnterpriseId", "GatewayName", "SN", "ProjectId") select "EnterpriseId", 'Large', 'LARGE00001', "Id" from project limit 1
    returning "Id"`)
  const of = { Id: gateway!.Id, EnterpriseId: EnterpriseId! }
  await system.rows(
    sql`insert into net_protocol ("EnterpriseId", "ProtocolName", "GatewayId", "Ip") values (${EnterpriseId}, 'Line', ${of.Id}, '10.0.0.1')`,
  )
  await system.rows(sql`
    insert into device ("EnterpriseId", "DeviceName", "GatewayId", "NetProtocolId")
    select "EnterpriseId", 'Device ' || i, "GatewayId", "Id" from net_protocol, generate_series(1, 200) i`)
  await system.rows(sql`
    insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address")
    select "EnterpriseId", "Id", 'Point ' || i, (i * 2)::text from device, generate_series(1, ${points / 200}) i`)
  // As autovacuum does within a minute.
  await system.rows(sql`analyze point, device`)
  const Hash = await takeSnapshot(system, of)
  const config = await buildConfig(system, of.Id)
  await keepVersion(
    system,
    of,
    null,
    { Version: 1, Hash, Note: null },
    { HeartbeatPeriod: config.HeartbeatPeriod, Devices: config.Devices.length, Points: config.Points.length },
  )
  await system.rows(sql`update point set "CollectPeriod" = 5000 where "Id" in (select "Id" from point order by "Id" limit ${changed})`)
  const bare: number[] = []
  const checked: number[] = []
  for (let i = 0; i < rounds; i++) {
    bare.push(await timed(async () => [canonical(config), canonical(config)]))
    checked.push(await timed(async () => precheck(await buildConfig(system, of.Id))))
  }
  return { of, bare: quantile(bare, 0.5), checked: quantile(checked, 0.5) }
}

/** The least memory that the server has within some seconds after its start, MiB. */
const restingMemory = async (world: { rss(): number }) => {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 50; i++) {
    await sleep(100)
    least = Math.min(least, world.rss())
  }
  return least
}
const emptyMemory = async () => {
  const world = await startWorld(async (database) => seedTenants(database, 1))
  return restingMemory(world).finally(world.close)
}

/** Measures the wait before a push, the difference and the pre-check, and the memory of a point. */
export const configuration = async () => {
  const empty = await emptyMemory()
  let seeded!: Awaited<ReturnType<typeof seed>>
  const world = await startWorld(async (database) => {
    seeded = await seed(database)
  })
  try {
    const perPoint = (((await restingMemory(world)) - empty) * (1024 * 1024)) / points
    const token = await world.login('manager1')
    const took: number[] = []
    for (let i = 0; i < rounds; i++)
      took.push(
        await timed(async () => {
          const { Changed } = await world.call<{ Changed: number }>(token, 'POST', '/Project/Gateway/Version/Compare', {
            GatewayId: seeded.of.Id,
          })
          if (Changed !== changed) throw new Error(`${Changed} differences instead of ${changed}`)
        }),
      )
    return [
      figure(`difference of a gateway of ${points.toLocaleString('en')} points`, quantile(took, 0.5), 'ms', seeded.bare),
      figure('its pre-check', seeded.checked, 'ms', seeded.bare),
      figure('memory of the server for a point', perPoint, 'B'),
    ]
  } finally {
    await world.close()
  }
}
