// One company with thousands of points delays no other company. The server is a process of its own, so that the lateness of its
// event loop is its own.
import { beforeAll, expect, test } from 'vitest'
import type { Wrapper } from '../../contract/call.ts'
import { ownServer } from '../faults/own-server.ts'
import { until } from '../front-door.ts'
import { latenessOf } from './least.ts'

const own = ownServer()
const upload = async (path: string, content: string) => {
  const body = new FormData()
  body.set('file', new File([content], 'points'))
  const headers = { authorization: `Bearer ${own.door.admin}`, 'accept-language': 'en' }
  return (await (await fetch(`${own.process.origin}/api${path}`, { method: 'POST', headers, body })).json()) as Wrapper
}
const lateness = latenessOf(own)

let model: number
let pump: number
let site: { project: number; gateway: number }
beforeAll(async () => {
  const made = await own.door.newGateway('LARGEGATEWAY1', 1)
  ;[pump, site] = [made.device, made]
  model = (await own.door.data('POST', '/ProModel/ProModel', { ModelName: 'Large' })).Id
})

test('a call copies at most 100,000 points of models', async () => {
  await own.query(`
    insert into model_para ("EnterpriseId", "ModelId", "ParaName", "Address")
    select "EnterpriseId", "Id", 'C' || n, n from pro_model, generate_series(1, 100001) n where "Id" = ${model}`)
  const answer = await own.door.call(own.door.admin, 'POST', '/ProModel/ProModel/Copy', { Ids: [model] })
  expect(answer).toMatchObject({ StatusCode: 400, Details: { Fields: { Ids: [expect.stringContaining('100000')] } } })
})

test('a gateway file with a million devices is refused before it is parsed, and an object in place of a text is none', async () => {
  const read = (slaves: string) => upload(`/Project/DevPara/Layout?DeviceId=${pump}`, `{"master":{"slaves":[${slaves}]}}`)
  const late = await lateness(1000, async () =>
    expect(await read(`${'{},'.repeat(1_300_000)}{}`)).toMatchObject({ Details: { Fault: 'tooLarge' } }),
  )
  // 1.3 s before.
  expect(late).toBeLessThan(1000)
  const none = '{"toString":1}'
  expect(await read(`{"deviceName":${none},"timeseries":[{"tag":${none},"type":${none}}]}`)).toMatchObject({ Succeeded: true })
})

test('names of many standard parameters are looked up, not read', async () => {
  await own.query(`
    insert into standard_para ("EnterpriseId", "Code", "NameEn", "Aliases")
    select "EnterpriseId", 'of.' || n, 'Name ' || n, (select string_agg('a' || n || '_' || i, '|') from generate_series(1, 45) i)
    from pro_model, generate_series(1, 60000) n where "Id" = ${model}`)
  const late = await lateness(2000, async () => {
    const answer = await upload(`/Project/DevPara/Layout?DeviceId=${pump}`, 'What,Address\nA59999_44,1\n')
    expect(answer).toMatchObject({ Data: { Columns: [{ Title: 'What', Field: 'ParaName' }, { Title: 'Address' }] } })
  })
  // 3 s before.
  expect(late).toBeLessThan(2000)
})

test('the plan of a copy counts the points of its own project, for a thousand gateways at most', async () => {
  const { Id } = await own.door.data('POST', '/Project/Project', { ProjectName: 'Many gateways' })
  await own.query(`
    insert into gateway ("EnterpriseId", "ProjectId", "GatewayName", "SN")
    select "EnterpriseId", "Id", 'G' || n, 'MANYGATES' || lpad(n::text, 5, '0') from project, generate_series(1, 3000) n where "Id" = ${Id};
    insert into device ("EnterpriseId", "GatewayId", "DeviceName", "CommType")
    select g."EnterpriseId", g."Id", 'D' || n, 0 from gateway g, generate_series(1, 5) n where "ProjectId" = ${Id};
    insert into point ("EnterpriseId", "DeviceId", "ParaName", "Address")
    select "EnterpriseId", ${pump}, 'P' || n, n from gateway, generate_series(1, 60000) n where "Id" = ${site.gateway}; analyze`)
  const before = performance.now()
  const plan = await own.door.data<{ Gateways: object[] }>('GET', `/Project/Project/QProjectCopyGatewayAndDevices?ProjectId=${Id}`)
  expect(plan.Gateways).toHaveLength(1000)
  // 10 s before, and more with more points, of any company.
  expect(performance.now() - before).toBeLessThan(10_000)
})

test('what reads all points of a gateway runs once at a time', async () => {
  const calls: [string, string, object?][] = [
    ['GET', `/Project/DevPara/Violations?ProjectId=${site.project}`],
    ['POST', '/Project/Gateway/Version/Compare', { GatewayId: site.gateway }],
    ['POST', '/Project/Gateway/Reset', { Id: site.gateway, Preview: true }],
  ]
  const waiting = async () =>
    (await own.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)).length
  // All that read gateways take until the lock is given back, as with 100,000 points.
  const holder = await own.session()
  for (const [method, path, body] of calls) {
    await holder.query('begin; lock table gateway in access exclusive mode')
    const answers = Promise.all(Array.from({ length: 6 }, () => own.door.call(own.door.admin, method, path, body)))
    await until(`${path} to read`, waiting)
    // Others would read by now.
    await new Promise((done) => setTimeout(done, 400))
    expect(await waiting(), path).toBeLessThan(3)
    await holder.query('commit')
    await answers
  }
  holder.release()
})
