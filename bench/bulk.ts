// What one command does to many: products of a series, a model on its devices, a large sheet of points.
import { sql } from 'kysely'
import '../areas/index.ts'
import { setSecret } from '../areas/configuration/gateways/server/secrets.ts'
import type { Database, Db } from '../server/database/db.ts'
import { readSheet } from '../server/files/sheetReader.ts'
import { writeSheet } from '../server/files/xlsx.ts'
import { besideLists, openIngest, sleep } from './beside.ts'
import { figure, timed } from './figures.ts'
import { startLoader } from './load/job.ts'
import type { Gateway, Published, PublishJob } from './load/publisher.ts'
import { seedTenants, startWorld, type World } from './world.ts'

const products = { count: 500, devices: 10, points: 20 }
const model = { points: 200, devices: 500 }
const sheet = { devices: 500, points: 100 }
const live = { gateways: 20, points: 100 }
const gatewaysOfModel = 20

const addGateway = async (db: Db, enterprise: number, SN: string, project: number) => {
  const [gateway] = await db.rows<{ Id: number }>(
    sql`insert into gateway ("EnterpriseId", "GatewayName", "SN", "ProjectId") values (${enterprise}, ${SN}, ${SN}, ${project}) returning "Id"`,
  )
  const [channel] = await db.rows<{ Id: number }>(sql`
    insert into net_protocol ("EnterpriseId", "ProtocolName", "GatewayId", "Ip") values (${enterprise}, 'Line', ${gateway!.Id}, '10.0.0.1') returning "Id"`)
  return { gateway: gateway!.Id, channel: channel!.Id }
}
const addDevices = (db: Db, enterprise: number, at: { gateway: number; channel: number }, count: number, name: string) =>
  db.rows<{ Id: number }>(sql`
    insert into device ("EnterpriseId", "DeviceName", "GatewayId", "NetProtocolId", "SlaveNumber")
    select ${enterprise}, ${name} || ' ' || i, ${at.gateway}, ${at.channel}, i from generate_series(1, ${count}) i returning "Id"`)
const addPoints = (db: Db, enterprise: number, devices: readonly number[], count: number) =>
  db.rows(sql`
    insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address", "SlaveNumber")
    select ${enterprise}, d.id, 'Point ' || i, (i * 2)::text, d.n from unnest(${devices}::bigint[]) with ordinality d (id, n), generate_series(1, ${count}) i`)
const idsOf = (rows: readonly { Id: number }[]) => rows.map(({ Id }) => Id)

/** Gateways that send readings. */
const addLive = async (db: Db, enterprise: number, project: number) => {
  const made: Gateway[] = []
  for (let g = 0; g < live.gateways; g++) {
    const sn = `LIVE${String(g).padStart(8, '0')}`
    const at = await addGateway(db, enterprise, sn, project)
    const [device] = idsOf(await addDevices(db, enterprise, at, 1, `Live ${g}`))
    await addPoints(db, enterprise, [device!], live.points)
    const points = idsOf(await db.rows<{ Id: number }>(sql`select "Id" from point where "DeviceId" = ${device!} order by "Id"`))
    made.push({ sn, key: await setSecret(db, { Id: at.gateway, SN: sn }), device: device!, points })
  }
  return made
}

/** The same rows by statements alone, rolled back. */
const bareProducts = (db: Db, enterprise: number) =>
  timed(async () => {
    for (let n = 0; n < products.count; n++)
      await db.tx(async (db) => {
        const [project] = await db.rows<{ Id: number }>(
          sql`insert into project ("EnterpriseId", "ProjectName") values (${enterprise}, ${`Bare ${n}`}) returning "Id"`,
        )
        const at = await addGateway(db, enterprise, `BARE${String(n).padStart(6, '0')}`, project!.Id)
        await addPoints(db, enterprise, idsOf(await addDevices(db, enterprise, at, products.devices, 'Device')), products.points)
      })
  })
const bareSheet = async (db: Db, enterprise: number, devices: readonly number[]) => {
  const took = await timed(async () => {
    for (let from = 0; from < devices.length; from += 1000 / sheet.points)
      await addPoints(db, enterprise, devices.slice(from, from + 1000 / sheet.points), sheet.points)
  })
  return took
}

const seed = async (database: Database) => {
  const db = database.system
  const [enterprise] = (await seedTenants(database, 1)) as [number]
  const [{ Id: works }] = (await db.rows<{ Id: number }>(sql`select "Id" from project where "EnterpriseId" = ${enterprise}`)) as [
    { Id: number },
  ]
  const bare = { products: await bareProducts(db, enterprise), update: 0, sheet: 0 }
  const template = await addGateway(db, enterprise, 'TEMPLATE0001', works)
  await addPoints(db, enterprise, idsOf(await addDevices(db, enterprise, template, products.devices, 'Machine')), products.points)
  const [other] = await db.rows<{ Id: number }>(
    sql`insert into project ("EnterpriseId", "ProjectName") values (${enterprise}, 'Others') returning "Id"`,
  )
  const ofModel: number[] = []
  for (let g = 0; g < gatewaysOfModel; g++) {
    const at = await addGateway(db, enterprise, `MODEL${String(g).padStart(6, '0')}`, other!.Id)
    ofModel.push(...idsOf(await addDevices(db, enterprise, at, model.devices / gatewaysOfModel, `Device ${g}`)))
  }
  await addPoints(db, enterprise, ofModel, model.points)
  bare.update = await timed(() =>
    db.rows(sql`update point set "UploadPeriod" = 61, "UpdateTime" = now() where "DeviceId" = any(${ofModel}::bigint[])`),
  )
  await db.rows(sql`delete from point where "DeviceId" = any(${ofModel}::bigint[])`)
  const ofSheet: number[] = []
  for (let g = 0; g < gatewaysOfModel; g++) {
    const at = await addGateway(db, enterprise, `SHEET${String(g).padStart(6, '0')}`, other!.Id)
    ofSheet.push(...idsOf(await addDevices(db, enterprise, at, sheet.devices / gatewaysOfModel, `Sheet ${g}`)))
  }
  bare.sheet = await bareSheet(db, enterprise, ofSheet)
  await db.rows(sql`delete from point where "DeviceId" = any(${ofSheet}::bigint[])`)
  const gateways = await addLive(db, enterprise, other!.Id)
  await db.rows(sql`analyze`)
  return { works, ofModel, gateways, bare }
}

/** Makes a project for each serial number of a new series. */
const makeProducts = async (world: World, token: string, TemplateProjectId: number, name: string) => {
  const series = await world.call<{ Id: number }>(token, 'POST', '/Product/ProProductSeries', { SeriesName: name, TemplateProjectId })
  const path = '/V3/Product/ProductTask'
  const SNs = Array.from({ length: products.count }, (_, i) => `${name.toUpperCase()}${String(i).padStart(6, '0')}`)
  const { Id } = await world.call<{ Id: number }>(token, 'POST', `${path}/ProBatchAddProductTask`, {
    SeriesId: series.Id,
    NameRule: '{SN}',
    SNs,
  })
  for (;;) {
    const { Status, Done } = await world.call<{ Status: number; Done: number }>(token, 'GET', `${path}?Id=${Id}`)
    if (Status === 3 && Done === products.count) return
    if (Status > 1) throw new Error(`The task ended with status ${Status} and ${Done} projects.`)
    await sleep(100)
  }
}

/** A model on its devices. `change` publishes another period of all its points; `apply` brings it to the devices. */
const startModel = async (world: World, token: string, DeviceIds: readonly number[]) => {
  const { Id: ModelId } = await world.call<{ Id: number }>(token, 'POST', '/ProModel/ProModel', { ModelName: 'Bench' })
  const save = (Rows: object[]) => world.call(token, 'POST', '/ProModel/ModelPara/Cells', { ModelId, Rows })
  await save(Array.from({ length: model.points }, (_, i) => ({ ParaName: `Point ${i + 1}`, Address: String((i + 1) * 2) })))
  const publish = () => world.call(token, 'POST', '/ProModel/ProModel/Publish', { Id: ModelId })
  const apply = (Preview: 0 | 1) => world.call(token, 'POST', '/ProModel/ProModel/Apply', { ModelId, DeviceIds, Preview })
  await publish()
  await apply(0)
  const rows = await world.call<{ Items: { Id: number }[] }>(token, 'GET', `/ProModel/ModelPara/List?ModelId=${ModelId}&PageSize=1000`)
  return {
    change: async (UploadPeriod: number) => {
      await save(rows.Items.map(({ Id }) => ({ Id, UploadPeriod })))
      await publish()
    },
    apply,
  }
}

/** Imports a sheet of points, each with this limit. */
const importSheet = async (world: World, token: string, limit: number) => {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  const answer = await fetch(`${world.origin}/api/Project/DevPara/Template?Format=xlsx`, { headers })
  const [titles = [], example = []] = (await readSheet(Buffer.from(await answer.arrayBuffer()))) as [string[], (string | number)[]]
  const header = titles.includes('Device') ? titles : ['Device', ...titles]
  const start = titles.includes('Device') ? example : ['', ...example]
  const rows = []
  for (let g = 0; g < gatewaysOfModel; g++)
    for (let d = 1; d <= sheet.devices / gatewaysOfModel; d++)
      for (let p = 1; p <= sheet.points; p++) {
        const own: Record<string, string | number> = {
          Device: `Sheet ${g} ${d}`,
          'Point name': `Point ${p}`,
          Address: String(p * 2),
          'Unit ID': d,
          'High limit': limit,
        }
        rows.push(header.map((title, i) => own[title] ?? start[i] ?? ''))
      }
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await writeSheet(header, rows))]), 'points.xlsx')
  const sent = new Response(form)
  const body = new Uint8Array(await sent.arrayBuffer())
  const type = sent.headers.get('content-type')!
  return async () => {
    const imported = await fetch(`${world.origin}/api/Project/DevPara/Import`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    })
    const { Succeeded, Data, Errors, Details } = (await imported.json()) as Record<string, unknown>
    if (!Succeeded) throw new Error(`${Errors} ${JSON.stringify(Details).slice(0, 300)}`)
    const { Added, Changed } = Data as { Added: number; Changed: number }
    if (Added + Changed !== rows.length) throw new Error(JSON.stringify(Data).slice(0, 300))
  }
}

/** Products, a model and a sheet: once with concurrent lists, once with ingest. */
export const bulk = async () => {
  const publisher = startLoader<PublishJob, Published>('publisher.ts')
  const world = await startWorld(seed)
  try {
    const { works, ofModel, gateways, bare } = world.seeded
    const token = await world.login('manager1')
    const lists = (work: () => Promise<unknown>) => besideLists(world, token, work)
    const idle = await lists(() => sleep(3000))
    const made = await lists(() => makeProducts(world, token, works, 'Machine'))
    const used = await startModel(world, token, ofModel)
    await used.change(90)
    const preview = await timed(() => used.apply(1))
    const applied = await lists(() => used.apply(0))
    const imported = await lists(await importSheet(world, token, 60))
    const ingest = await openIngest(publisher, world, gateways)
    await used.change(91)
    return [
      figure(
        `${products.count} product projects of ${products.devices} devices and ${products.devices * products.points} points`,
        made.took / 1000,
        's',
        bare.products / 1000,
      ),
      figure('lists beside it, p95 (bare: idle)', made.p95, 'ms', idle.p95),
      await ingest('as many again', () => makeProducts(world, token, works, 'Engine')),
      figure(`preview of a change of ${model.points} points of a model on ${model.devices} devices`, preview / 1000, 's'),
      figure('its application (bare: one update)', applied.took / 1000, 's', bare.update / 1000),
      figure('lists beside it, p95 (bare: idle)', applied.p95, 'ms', idle.p95),
      await ingest('the next one', () => used.apply(0)),
      figure(
        `${(sheet.devices * sheet.points).toLocaleString('en')} points from xlsx into ${sheet.devices} devices`,
        imported.took / 1000,
        's',
        bare.sheet / 1000,
      ),
      figure('lists beside it, p95 (bare: idle)', imported.p95, 'ms', idle.p95),
      await ingest('a change of each by a sheet', await importSheet(world, token, 61)),
    ]
  } finally {
    await publisher.end()
    await world.close()
  }
}
