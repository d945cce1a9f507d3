// Files of records, on a whole server: who may attach what, who may read it, and what becomes of it.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Wrapper } from '../contract/call.ts'
import { furnish, type Kit } from '../main/testing/kit.ts'
import { type House, startHouse } from './house.ts'

type Attachment = { FilePath: string; FileName: string }
type Plan = { Id: number; Files: Attachment[] | null }

let house: House
let kit: Kit
beforeAll(async () => {
  house = await startHouse()
  kit = await furnish({ ...house, adminUrl: house.databaseUrl })
})
afterAll(() => kit.close())

const headersOf = (who: string) => {
  const person = kit.people.get(who)
  return person ? { authorization: `Bearer ${person.token}` } : {}
}
let plans = 0
const draft = (Files?: unknown) => ({ PlanName: `Plan ${++plans}`, ...(Files ? { Files } : {}) })
const upload = async <T>(who: string, path: string, name: string, text: string) => {
  const form = new FormData()
  form.append('file', new Blob([text]), name)
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const headers = { 'content-type': request.headers.get('content-type')!, ...headersOf(who) }
  const answer = await kit.app.inject({ method: 'POST', url: `/api${path}`, payload: Buffer.from(await request.arrayBuffer()), headers })
  return (answer.json() as Wrapper<T>).Data
}
const send = async (who: string): Promise<Attachment> => {
  const { FilePath, FileName } = await upload<Attachment>(
    who,
    '/System/File/Upload?Purpose=attachment',
    'seal.txt',
    'close the valve first',
  )
  return { FilePath, FileName }
}
const make = (who: string, Files: unknown) => kit.call<Plan>(who, 'POST', '/Alarm/AlarmPlan', draft(Files))
const reads = async (who: string, { FilePath }: Attachment) => {
  const answer = await kit.app.inject({ method: 'GET', url: `/api/${FilePath}`, headers: headersOf(who) })
  return answer.body === 'close the valve first'
}

it('a record takes the files that its author has sent, under the names they were sent by', async () => {
  const file = await send('owner')
  const { Data } = await make('owner', [{ ...file, FileName: 'another name.exe' }])
  expect(Data.Files).toEqual([file])
  expect(await kit.data('owner', 'GET', `/Alarm/AlarmPlan?Id=${Data.Id}`)).toMatchObject({ Files: [file] })
})

it('and no file of somebody else, of another record, of another tenant, or that there is not', async () => {
  const taken = await send('owner')
  await make('owner', [taken])
  const none = { FilePath: `files/${kit.enterprises.ours}/${'0'.repeat(32)}.txt`, FileName: 'x' }
  for (const file of [taken, await send('stranger'), none])
    expect(await make('owner', [file])).toMatchObject({ StatusCode: 400, Details: { Fields: { Files: [expect.any(String)] } } })
  for (const file of [{ FilePath: '/etc/passwd', FileName: 'x' }, { FilePath: 'files/1/../2', FileName: 'x' }, 7])
    expect(await make('owner', [file])).toMatchObject({ StatusCode: 400 })
  const twice = await send('owner')
  expect(await make('owner', [twice, twice])).toMatchObject({ StatusCode: 400 })
})

it('only people who see the record can read it', async () => {
  const file = await send('owner')
  await make('owner', [file])
  expect([await reads('owner', file), await reads('stranger', file), await reads('nobody', file)]).toEqual([true, false, false])
})

it('it goes when the record lets go of it or is removed, and stays through a sheet', async () => {
  const [kept, gone] = [await send('owner'), await send('owner')]
  const { Id } = (await make('owner', [kept, gone])).Data
  await kit.data('owner', 'PUT', '/Alarm/AlarmPlan', { Id, Files: [kept] })
  expect([await reads('owner', kept), await reads('owner', gone)]).toEqual([true, false])
  await kit.data('owner', 'PUT', '/Alarm/AlarmPlan', { Id, Content: 'Stop the pump.' })
  const { PlanName } = await kit.data<{ PlanName: string }>('owner', 'GET', `/Alarm/AlarmPlan?Id=${Id}`)
  await upload('owner', '/Alarm/AlarmPlan/Import', 'plans.csv', `PlanName,Content\n${PlanName},Call the works.`)
  expect(await kit.data('owner', 'GET', `/Alarm/AlarmPlan?Id=${Id}`)).toMatchObject({ Content: 'Call the works.', Files: [kept] })
  expect(await kit.call('owner', 'DELETE', '/System/File', { FilePath: kept.FilePath })).toMatchObject({ StatusCode: 409 })
  await kit.data('owner', 'DELETE', '/Alarm/AlarmPlan', { Id })
  expect(await reads('owner', kept)).toBe(false)
  const [{ n }] = (await kit.db.rows(sql`select count(*)::int as n from stored_file where "RecordId" = ${Id}`)) as [{ n: number }]
  expect(n).toBe(0)
})
