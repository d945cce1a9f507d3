// What one list call may ask for (security review F6, F7): refused by field with 400, never 500 or 503, and never cut in silence.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { languages } from '../../contract/languages.ts'
import { type House, startHouse } from '../house.ts'
import { operationsOf } from './hostile.ts'

let house: House
beforeAll(async () => {
  house = await startHouse({ PENSTOCK_CALLS_PER_SECOND: '0' })
})
afterAll(() => house?.close())

const list = '/Project/Project/List'
const where = (Value: unknown, LogicOP?: unknown, Field: unknown = 'ProjectName') => ({ Field, Value, ...(LogicOP ? { LogicOP } : {}) })
const asked = (...QueryConditions: unknown[]) => ({ QueryInfo: { QueryConditions } })
const many = (n: number) => Array.from({ length: n }, (_, i) => i + 1).join(',')
const times = <T>(n: number, one: T) => Array.from({ length: n }, () => one)
const noText = { toString: 1, valueOf: 1 }

const ask = (body: unknown, language = 'en') =>
  fetch(`${house.origin}/api${list}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${house.admin}`, 'content-type': 'application/json', 'accept-language': language },
    body: JSON.stringify(body),
  })
const answerOf = async (body: unknown, language?: string) => (await ask(body, language)).json()

describe('a list refuses', () => {
  it.each([
    ['a value without a text', asked(where(noText)), 'ProjectName'],
    ['a value of a list without a text', asked(where([1, noText], 8)), 'ProjectName'],
    ['a truth value', asked(where(true)), 'ProjectName'],
    ['a flat filter without a text', { ProjectName: noText }, 'ProjectName'],
    ['a field without a text', asked(where('x', 1, noText)), 'QueryInfo.QueryConditions'],
    ['an operator without a text', asked(where('x', noText)), 'ProjectName'],
    ['an order without a text', { OrderColumn: { a: 1 } }, 'OrderColumn'],
    ['a direction without a text', { OrderType: { a: 1 } }, 'OrderType'],
    ['a page without a text', { PageIndex: noText }, 'PageIndex'],
    ['a count without a text', { ExactCount: noText }, 'ExactCount'],
    ['a relation without a text', { QueryInfo: { RelOP: noText } }, 'RelOP'],
    ['a query that is nothing', { QueryInfo: 'null' }, 'QueryInfo'],
    ['a query that is no JSON', { QueryInfo: '{' }, 'QueryInfo'],
    ['more than 50 conditions', asked(...times(51, where('x'))), 'QueryInfo.QueryConditions'],
    ['3,000 flat filters', Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`F${i}`, 1])), 'QueryInfo.QueryConditions'],
    ['more than 1,000 values of a condition', asked(where(many(1001), 8, 'Id')), 'Id'],
    ['more than 1,000 values in a list', asked(where(times(1001, 1), 8, 'Id')), 'Id'],
    ['more than 5,000 values in all', asked(...times(6, where(many(900), 8, 'Id'))), 'QueryInfo.QueryConditions'],
  ])('%s, by its field', async (_, body, field) => {
    expect(await answerOf(body)).toMatchObject({
      StatusCode: 400,
      Details: { Fault: 'invalid', Fields: { [field]: [expect.any(String)] } },
    })
  })

  it('names that lead into a value, and names of two meanings', async () => {
    for (const query of ['ProjectName[a]=1', 'QueryInfo={}&QueryInfo.RelOP=2', 'QueryInfo.RelOP=2&QueryInfo={}', 'A.B.C.D.E=1'])
      expect(await house.call(house.admin, 'GET', `${list}?${query}`), query).toMatchObject({ StatusCode: 400 })
  })

  it('more than 64 kB, before it reads them', async () => {
    const seventy = asked(...times(70, where(many(1000), 8, 'Id')))
    const answer = await ask(seventy)
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ Details: { Fault: 'tooLarge' } })
    const task = await house.call(house.admin, 'POST', '/Project/ImportExportTask', { Resource: 'project', Format: 'csv', Query: seventy })
    expect(task).toMatchObject({ StatusCode: 413 })
  })

  it('in the caller’s language', async () => {
    for (const body of [asked(where(noText)), asked(...times(51, where('x'))), asked(where(many(1001), 8))]) {
      const answers = await Promise.all(languages.map((language) => answerOf(body, language)))
      expect(new Set(answers.map((a) => JSON.stringify(a.Details.Fields))).size).toBe(languages.length)
    }
  })
})

it('a list takes as much as it promises, and counts all of it', async () => {
  const { Id } = await house.data('POST', '/Project/Project', { ProjectName: 'Last' })
  const values = [...times(999, 0), Id]
  for (const Value of [values, values.join(',')])
    expect(await answerOf(asked(where(Value, 8, 'Id')))).toMatchObject({ StatusCode: 200, Data: { TotalCount: 1 } })
  expect(await answerOf(asked(...times(50, where('Last'))))).toMatchObject({ StatusCode: 200, Data: { TotalCount: 1 } })
  expect(await answerOf({ ...asked(...times(5, where(times(1000, Id), 8, 'Id'))) })).toMatchObject({
    StatusCode: 200,
    Data: { TotalCount: 1 },
  })
  expect(await answerOf({ Search: '', ProjectName: null, ...asked({}, null, where('')) })).toMatchObject({ StatusCode: 200 })
})

it('every list sorts and filters by the common timestamps', async () => {
  const columns = ['OrderColumn=CreateTime', 'OrderColumn=UpdateTime', 'CreateTime=2026-01-01', 'UpdateTime=2026-01-01']
  for (const { method, path } of (await operationsOf(house)).filter((o) => o.isPaged && o.method === 'GET'))
    for (const given of columns) {
      const { StatusCode } = await house.call(house.admin, method, `${path}?${given}`)
      expect([path, given, StatusCode]).not.toEqual([path, given, 500])
    }
})

it('no page is beyond what databases can count, in any call', async () => {
  const { Id } = await house.data('POST', '/Project/Gateway', {
    GatewayName: 'G',
    SN: 'BOUNDS000001',
    ProjectId: (await house.data('POST', '/Project/Project', { ProjectName: 'P' })).Id,
  })
  const paged = (await operationsOf(house)).filter((o) => o.isPaged)
  expect(paged.length).toBeGreaterThan(50)
  for (const { method, path, query = {} } of paged)
    for (const PageIndex of ['1e309', '1'.repeat(20)]) {
      const given = new URLSearchParams({
        ...Object.fromEntries(Object.keys(query).map((k) => [k, String(Id)])),
        PageSize: '10',
        PageIndex,
      })
      const answer =
        method === 'GET'
          ? await house.call(house.admin, method, `${path}?${given}`)
          : await house.call(house.admin, method, path, { PageIndex })
      expect([answer.StatusCode, path, PageIndex]).toEqual([400, path, PageIndex])
    }
})
