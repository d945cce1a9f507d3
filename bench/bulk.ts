// What one command does to many: products of a series, a model on its devices, a large sheet of points.
import { sql } from 'kysely'
import '../areas/index.ts'
import type { Database, Db } from '../server/database/db.ts'
import { readSheet } from '../server/files/sheetReader.ts'
import { writeSheet } from '../server/files/xlsx.ts'
import { figure, quantile, timed } from './figures.ts'
import { seedTenants, startWorld, type World } from './world.ts'

const products = { count: 500, devices: 10, points: 20 }
const model = { points: 200, devices: 500 }
const sheet = { devices: 500, points: 100 }
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
  await db.rows(sql`analyze`)
  return { works, ofModel, bare }
}

/** Asks for a list again and again while the work runs. Returns what the work took, and p95 of the lists, ms. */
const besideLists = async (world: World, token: string, work: () => Promise<unknown>) => {
  const lists: number[] = []
  let isDone = false
  const asking = (async () => {
    while (!isDone) {
      lists.push(await timed(() => world.call(token, 'POST', '/Project/Gateway/List', { PageSize: 20 })))
      await new Promise((next) => setTimeout(next, 20))
    }
  })()
  const took = await timed(work)
  isDone = true
  await asking
  return { took, p95: quantile(lists, 0.95) }
}

const makeProducts = async (world: World, token: string, TemplateProjectId: number) => {
  const series = await world.call<{ Id: number }>(token, 'POST', '/Product/ProProductSeries', { SeriesName: 'Machine', TemplateProjectId })
  const path = '/V3/Product/ProductTask'
  const SNs = Array.from({ length: products.count }, (_, i) => `MACHINE${String(i).padStart(6, '0')}`)
  const { Id } = await world.call<{ Id: number }>(token, 'POST', `${path}/ProBatchAddProductTask`, {
    SeriesId: series.Id,
    NameRule: '{SN}',
    SNs,
  })
  for (;;) {
    const { Status, Done } = await world.call<{ Status: number; Done: number }>(token, 'GET', `${path}?Id=${Id}`)
    if (Status === 3 && Done === products.count) return
    if (Status > 1) throw new Error(`The task ended with status ${Status} and ${Done} projects.`)
    await new Promise((next) => setTimeout(next, 100))
  }
}

const applyModel = async (world: World, token: string, DeviceIds: readonly number[]) => {
  const { Id: ModelId } = await world.call<{ Id: number }>(token, 'POST', '/ProModel/ProModel', { ModelName: 'Bench' })
  for (let i = 1; i <= model.points; i++)
    await world.call(token, 'POST', '/ProModel/ModelPara', { ModelId, ParaName: `Point ${i}`, Address: String(i * 2) })
  const publish = () => world.call(token, 'POST', '/ProModel/ProModel/Publish', { Id: ModelId })
  const apply = (Preview: 0 | 1) =>
    world.call<{ Version: number }>(token, 'POST', '/ProModel/ProModel/Apply', { ModelId, DeviceIds, Preview })
  await publish()
  await apply(0)
  const rows = await world.call<{ Items: { Id: number }[] }>(token, 'GET', `/ProModel/ModelPara/List?ModelId=${ModelId}&PageSize=1000`)
  for (const { Id } of rows.Items) await world.call(token, 'PUT', '/ProModel/ModelPara', { Id, UploadPeriod: 90 })
  await publish()
  const preview = await timed(() => apply(1))
  return { preview, ...(await besideLists(world, token, () => apply(0))) }
}

const importSheet = async (world: World, token: string) => {
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
        }
        rows.push(header.map((title, i) => own[title] ?? start[i] ?? ''))
      }
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await writeSheet(header, rows))]), 'points.xlsx')
  const sent = new Response(form)
  const body = new Uint8Array(await sent.arrayBuffer())
  const type = sent.headers.get('content-type')!
  return besideLists(world, token, async () => {
    const imported = await fetch(`${world.origin}/api/Project/DevPara/Import`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    })
    const { Succeeded, Data, Errors, Details } = (await imported.json()) as Record<string, unknown>
    if (!Succeeded) throw new Error(`${Errors} ${JSON.stringify(Details).slice(0, 300)}`)
    if ((Data as { Added: number }).Added !== rows.length) throw new Error(JSON.stringify(Data).slice(0, 300))
  })
}

/** Products, a model and a sheet, each with lists asked for at the same time. */
export const bulk = async () => {
  const world = await startWorld(seed)
  try {
    const { works, ofModel, bare } = world.seeded
    const token = await world.login('manager1')
    const idle = await besideLists(world, token, () => new Promise((next) => setTimeout(next, 3000)))
    const made = await besideLists(world, token, () => makeProducts(world, token, works))
    const applied = await applyModel(world, token, ofModel)
    const imported = await importSheet(world, token)
    return [
      figure(
        `${products.count} product projects of ${products.devices} devices and ${products.devices * products.points} points`,
        made.took / 1000,
        's',
        bare.products / 1000,
      ),
      figure('lists beside it, p95 (bare: idle)', made.p95, 'ms', idle.p95),
      figure(`preview of a change of ${model.points} points of a model on ${model.devices} devices`, applied.preview / 1000, 's'),
      figure('its application (bare: one update)', applied.took / 1000, 's', bare.update / 1000),
      figure('lists beside it, p95 (bare: idle)', applied.p95, 'ms', idle.p95),
      figure(
        `${(sheet.devices * sheet.points).toLocaleString('en')} points from xlsx into ${sheet.devices} devices`,
        imported.took / 1000,
        's',
        bare.sheet / 1000,
      ),
      figure('lists beside it, p95 (bare: idle)', imported.p95, 'ms', idle.p95),
    ]
  } finally {
    await world.close()
  }
}
