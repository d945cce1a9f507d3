import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
  // An installation on its first day: the platform and its people, nothing else.
  await kit.data('platform', 'DELETE', '/System/Enterprise', { Ids: Object.values(kit.enterprises) })
})
afterAll(() => kit.close())

const plant = [
  ['/Project/Project', { ProjectName: 'Works' }],
  ['/Alarm/AlarmPlan', { PlanName: 'Leak', Content: 'Close the valve.' }],
  ['/Alarm/AlarmCode', { Code: 'E01', Name: 'Overload' }],
] as const
const own = [
  ['/System/Organ', { OrganName: 'Operations' }],
  ['/System/Region', { RegionName: 'North' }],
  ['/System/Role', { RoleName: 'Support' }],
] as const

it('refuses records of a company until one exists, by field and in four languages, but accepts the platform’s own', async () => {
  for (const [path, draft] of plant) {
    const texts = new Set<string>()
    for (const language of ['en', 'zh', 'es', 'ja']) {
      const answer = await kit.call('platform', 'POST', path, draft, { 'accept-language': language })
      expect([path, answer]).toMatchObject([
        path,
        { StatusCode: 400, Details: { Fault: 'invalid', Fields: { EnterpriseId: [expect.any(String)] } } },
      ])
      texts.add(answer.Details!.Fields!.EnterpriseId![0]!)
    }
    expect(texts.size).toBe(4)
    expect(await kit.call('platform', 'POST', path, { ...draft, EnterpriseId: 1 })).toMatchObject({ StatusCode: 400 })
  }
  for (const [path, draft] of own) await kit.data('platform', 'POST', path, draft)

  const { Id } = await kit.data<{ Id: number }>('platform', 'POST', '/System/Enterprise', {
    Name: 'Riverside',
    ManagerNO: 'manager',
    ManagerName: 'Manager',
  })
  for (const [path, draft] of plant) {
    const made = await kit.data<{ Id: number }>('platform', 'POST', path, { ...draft, EnterpriseId: Id })
    expect(made).toMatchObject({ EnterpriseId: Id })
    await kit.data('platform', 'DELETE', path, { Id: made.Id })
    // As ever, a call that names no company means the caller's own.
    expect(await kit.data('platform', 'POST', path, draft)).toMatchObject({ EnterpriseId: 1 })
  }
  await kit.data('platform', 'DELETE', '/System/Enterprise', { Id })
})

it('accepts more records for a plant that already belongs to the platform', async () => {
  expect(await kit.data('platform', 'POST', '/Project/Project', { ProjectName: 'Second works' })).toMatchObject({ EnterpriseId: 1 })
})
