import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { permissions } from '../../../../contract/menus.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit?.close())

const path = '/Maintenance/MtnAlmTemplate'
const push = (more: object = {}) => ({ PushUsers: [kit.people.get('owner')!.id], PushMethods: [{ Method: 1 }], ...more })
const list = (as: string, query = '') => kit.data<Page<Record<string, unknown>>>(as, 'GET', `${path}/List?${query}`)

it('a template selects orders, times and recipients; it is added, listed, changed and private to its tenant', async () => {
  const draft = { TemplateName: 'Upkeep is due', OrderKind: 2, Event: 2, LeadTime: 1440, AlarmPush: push() }
  const made = await kit.data<{ Id: number }>('owner', 'POST', path, draft)
  expect(made).toMatchObject({ ...draft, Enabled: 1, EnterpriseId: kit.enterprises.ours })
  expect((await list('owner', 'OrderKind=2&Event=2')).Items).toMatchObject([{ Id: made.Id }])
  expect((await list('owner', 'OrderKind=3')).Items).toEqual([])
  expect((await list('stranger')).Items).toEqual([])
  const changed = await kit.data('owner', 'PUT', path, { Id: made.Id, Enabled: 0, AlarmPush: push({ RecoveryNotice: 1 }) })
  expect(changed).toMatchObject({ ...draft, Enabled: 0, AlarmPush: push({ RecoveryNotice: 1 }) })
  expect(await kit.call('stranger', 'PUT', path, { Id: made.Id, Enabled: 1 })).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('viewer', 'POST', path, { ...draft, TemplateName: 'Other' })).toMatchObject({ StatusCode: 403 })
  expect(await kit.call('owner', 'POST', path, draft)).toMatchObject({ StatusCode: 409 })
})

it('refuses, by field, people of another tenant, a message to nobody, and a way that does not exist', async () => {
  const stranger = kit.people.get('stranger')!.id
  const refused = async (AlarmPush: object) =>
    (await kit.call('owner', 'POST', path, { TemplateName: 'Wrong', AlarmPush })) as { StatusCode: number; Details: { Fields: object } }
  for (const [wrong, field] of [
    [push({ PushUsers: [stranger] }), 'AlarmPush.PushUsers'],
    [push({ PushUsers: [] }), 'AlarmPush.PushUsers'],
    [push({ PushMethods: [] }), 'AlarmPush.PushMethods'],
    [push({ PushMethods: [{ Method: 2, TemplateId: 999_999 }] }), 'AlarmPush.PushMethods.0.TemplateId'],
  ] as const) {
    const answer = await refused(wrong)
    expect(answer.StatusCode).toBe(400)
    expect(Object.keys(answer.Details.Fields)).toContain(field)
  }
  expect(await kit.call('owner', 'POST', path, { TemplateName: 'Wrong', AlarmPush: push({ PushMethods: [{ Method: 9 }] }) })).toMatchObject(
    {
      StatusCode: 400,
    },
  )
  expect((await list('owner', 'Search=Wrong')).Items).toEqual([])
})

it('who sees some projects adds no channel that gets the messages of all, and changes no service levels and rates', async () => {
  await kit.person('narrow', kit.enterprises.ours, { menus: permissions, projects: [999_999] })
  const draft = (as: string, AlarmPush: object) => kit.call<{ Id: number }>(as, 'POST', path, { TemplateName: `Hook of ${as}`, AlarmPush })
  const hook = { PushUsers: [], PushMethods: [{ Method: 7 }] }
  const own = { PushUsers: [kit.people.get('narrow')!.id], PushMethods: [{ Method: 1 }] }
  const steps = { StepPush: { Enabled: 1, Steps: [{ Delay: 5, ...hook }] } }
  expect((await draft('narrow', hook)).Details?.Fields).toHaveProperty(['AlarmPush.PushMethods.0.Method'])
  expect((await draft('narrow', { ...own, ...steps })).Details?.Fields).toHaveProperty(['AlarmPush.StepPush.Steps.0.PushMethods.0.Method'])
  expect(await draft('narrow', own)).toMatchObject({ Succeeded: true })
  const { Data } = await draft('owner', hook)
  expect(await kit.call('narrow', 'PUT', path, { Id: Data.Id, AlarmPush: { ...hook, RecoveryNotice: 1 } })).toMatchObject({
    Succeeded: true,
  })
  for (const [method, call, body] of [
    ['PUT', '/Maintenance/OrderClocks', { Finish1: 60 }],
    ['POST', '/Maintenance/MtnLaborRate', { RateName: 'Mine', RoleId: 1, ValidFrom: '2026-01-01', Rate: 1 }],
  ] as const)
    expect(await kit.call('narrow', method, call, body), call).toMatchObject({ StatusCode: 403 })
})
