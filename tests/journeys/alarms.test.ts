// An alarm of the plant, people's responses to it, and the external systems that are notified.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readSheet } from '../../server/files/sheetReader.ts'
import { password, temporary, until } from '../front-door.ts'
import { callApi, dialog, downloaded, expectAccessible, expectFits, journey, pane, settled, visit } from './browser.ts'
import { handsOf } from './hands.ts'

journey('alarms, from the plant to the sheet', { env: {}, target: '/alarmManagement/alarmInfo' }, (at) => {
  let token: string | undefined
  const names: string[] = []
  const api = <T>(method: string, path: string, body?: unknown) => callApi<T>(at.penstock.origin, token, method, path, body)
  type Alarm = { Id: number; EnterpriseId: number; RuleName: string; ParaId: number }
  type Point = { Id: number; ProjectId: number; ZeroText: string; OneText: string }
  const standing = async () => (await api<{ Items: Alarm[] }>('GET', '/Alarm/AlarmInfo/List?IsActive=1&PageSize=100')).Items

  beforeAll(async () => {
    token = (await api<{ Token: string }>('POST', '/Auth/Login', { UserNO: 'admin', Pwd: password })).Token
    // Limits that the simulated plant's values exceed immediately and repeatedly.
    const { Items } = await api<{ Items: Point[] }>('GET', '/Project/DevPara/List?PageSize=200&ParaDataType=7')
    const set = Items.slice(0, 3)
    for (const { Id } of set) await api('PUT', '/Project/DevPara', { Id, AlarmHigh: -1e6, AlarmLow: null })
    const raised = await until(
      'the plant to raise three alarms',
      async () => {
        const list = (await standing()).filter((a) => set.some((p) => p.Id === a.ParaId))
        return list.length === 3 ? list : undefined
      },
      60_000,
    )
    names.push(...raised.map((a) => a.RuleName))
    const { EnterpriseId } = raised[0]!
    const plan = await api<{ Id: number }>('POST', '/Alarm/AlarmPlan', {
      ...{ PlanName: 'Replace the gasket', Content: 'Close the valve first.', EnterpriseId },
    })
    await api('POST', '/Alarm/Alarmcode', { Code: 'P-17', Name: 'Gasket leaks', AlmPlanId: plan.Id, EnterpriseId })
  })

  const { row, act } = handsOf(at)

  it('appear in the active list, and can be grouped and filtered with a click', async () => {
    for (const name of names) await row(name).waitFor()
    await pane(at.page).getByLabel('Group by').click()
    await at.page.locator('.ant-select-dropdown:visible').getByText('Level', { exact: true }).click()
    const normal = pane(at.page).getByRole('button', { name: /^Medium: \d+ active/ })
    await normal.click()
    await expect.poll(() => at.page.url()).toContain('AlarmLevel=2')
    await expect.poll(() => normal.getAttribute('aria-pressed')).toBe('true')
    await normal.click()
    await expect.poll(() => at.page.url()).not.toContain('AlarmLevel=2')
    await expectAccessible(at.page)
    await expectFits(at.page)
  })

  it('show the curve around the event with its threshold, who is at it and what was said', async () => {
    await row(names[0]!).getByRole('button', { name: names[0]!, exact: true }).click()
    const drawer = dialog(at.page, names[0]!)
    await drawer.locator('figure.alarm-curve canvas').waitFor()
    await drawer.getByText('From 30 min before until now').waitFor()
    expect(await drawer.locator('.ant-drawer-footer .ant-btn-primary').allTextContents()).toEqual(['Acknowledge'])
    const leads = async (to: string) => (await drawer.getByRole('link', { name: to, exact: true }).getAttribute('href'))!
    expect(await leads('Raw water intake')).toMatch(/devicePointList\?Id=\d+$/)
    expect(await leads('Soft gateway')).toMatch(/gatewayPreView\?Id=\d+$/)
    expect(await leads('River intake and clear water')).toMatch(/projectConfig\?Id=\d+$/)
    // What else is wrong at this device; none of the three has been there before.
    const related = drawer.getByRole('region', { name: 'Other active alarms here' })
    for (const name of names.slice(1)) await related.getByRole('link', { name }).waitFor()
    expect(await related.getByRole('link', { name: names[0]! }).count()).toBe(0)
    await drawer.getByLabel('Assigned to').click()
    await at.page.locator('.ant-select-dropdown:visible').getByText('Administrator').click()
    await drawer.getByPlaceholder('What did you find?').fill('The gasket leaks.')
    await drawer.getByRole('button', { name: 'Comment', exact: true }).click()
    await drawer.locator('.alarm-comment').getByText('The gasket leaks.').waitFor()
    await expectAccessible(at.page)
    await at.page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
  })

  it('are acknowledged, handled and called false', async () => {
    await act(names[0]!, 'Acknowledge')
    await expect.poll(() => row(names[0]!).textContent()).toContain('acknowledged')
    await row(names[0]!).getByRole('button', { name: names[0]!, exact: true }).click()
    const drawer = dialog(at.page, names[0]!)
    await drawer.getByRole('button', { name: 'Handle' }).click()
    const form = dialog(at.page, /^Handle /)
    await form.getByLabel('Action taken').fill('Gasket replaced')
    await form.getByRole('combobox', { name: 'Fault code' }).click()
    await at.page.locator('.ant-select-dropdown:visible').getByText('P-17 Gasket leaks').click()
    await form.getByText('Close the valve first.').waitFor()
    await expectAccessible(at.page)
    await form.getByRole('button', { name: 'Handle' }).click()
    await form.waitFor({ state: 'hidden' })
    // What was done, by whom and by which plan is in the drawer, where nothing more is to be handled.
    await drawer.getByText('Gasket replaced').waitFor()
    await drawer.getByText('P-17').waitFor()
    await drawer.getByText('Close the valve first.').waitFor()
    await drawer
      .getByText(/^[\d: -]+ · Administrator$/)
      .first()
      .waitFor()
    expect(await drawer.getByRole('button', { name: 'Handle' }).count()).toBe(0)
    await at.page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expect.poll(() => row(names[0]!).textContent()).toContain('still active')
    // Whatever was opened, the list stays in its tab.
    expect(await at.page.locator('nav[aria-label="Open pages"] li').filter({ hasText: 'Alarms' }).count()).toBe(1)
    await act(names[1]!, 'Mark as false alarm')
    const list = () => api<{ Items: Alarm[] }>('GET', '/Alarm/AlarmInfo/List?OtherFilter=0')
    await expect.poll(async () => (await list()).Items.map((a) => a.RuleName)).toEqual([names[1]])
  })

  it('leave the active list when they are put aside, with reason and end, and come back when taken back', async () => {
    await act(names[2]!, 'Shelve')
    await dialog(at.page).getByRole('button', { name: 'Shelve' }).click()
    await dialog(at.page).getByText('Give a reason for the next shift.').waitFor()
    await dialog(at.page).getByText('4 h', { exact: true }).click()
    await dialog(at.page).getByRole('textbox').fill('Being mended')
    await dialog(at.page).getByRole('button', { name: 'Shelve' }).click()
    await expect.poll(() => row(names[2]!).count()).toBe(0)
    await pane(at.page).getByText('Shelved', { exact: true }).click()
    await expect.poll(() => row(names[2]!).textContent()).toContain('Being mended')
    expect(await row(names[2]!).textContent()).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/)
    await act(names[2]!, 'Unshelve')
    await pane(at.page).getByText('No shelved alarms.').waitFor()
    await pane(at.page).getByText('Active', { exact: true }).click()
    await row(names[2]!).waitFor()
  })

  it('sound after the first interaction, unless muted', async () => {
    await at.page.evaluate(() => {
      const counted = window as unknown as { tones: number }
      counted.tones = 0
      const make = AudioContext.prototype.createOscillator
      AudioContext.prototype.createOscillator = function () {
        counted.tones++
        return make.call(this)
      }
    })
    const tones = () => at.page.evaluate(() => (window as unknown as { tones: number }).tones)
    const raise = async () => {
      const { Items } = await api<{ Items: { Id: number }[] }>('GET', '/Project/DevPara/List?PageSize=4&ParaDataType=7')
      const { Id } = Items.at(-1)!
      await api('PUT', '/Project/DevPara', { Id, AlarmHigh: null, AlarmLow: null })
      const of = async () => (await standing()).filter((a) => a.ParaId === Id).length
      await until('the alarm to end', async () => (await of()) === 0 || undefined)
      await api('PUT', '/Project/DevPara', { Id, AlarmHigh: -1e6 })
      await until('the alarm to be raised', async () => (await of()) > 0 || undefined)
    }
    // A sound within three seconds of another, such as one of the plant, is not played.
    const heard = async () => {
      await raise()
      await settled(at.page)
      return (await tones()) > 0
    }
    await until('a sound', heard, 60_000)
    await pane(at.page).getByRole('button', { name: 'Mute alarms' }).click()
    await pane(at.page).getByRole('button', { name: 'Turn alarm sound on' }).waitFor()
    expect(await api('GET', '/Alarm/AlarmUserSetting')).toMatchObject({ Sound: 0 })
    const before = await tones()
    await raise()
    await settled(at.page)
    expect(await tones()).toBe(before)
  })

  it('are found in the history by their filters, counted, and leave as a sheet', async () => {
    await pane(at.page).getByText('History', { exact: true }).click()
    await row(names[0]!).waitFor()
    await at.page.goto(`${at.penstock.origin}/alarmManagement/alarmInfo?view=history&IsFalse=1`)
    await row(names[1]!).waitFor()
    expect(await row(names[0]!).count()).toBe(0)
    await pane(at.page).getByRole('button', { name: 'Export', exact: true }).click()
    const saved = await downloaded(at.page, () => at.page.getByRole('menuitem', { name: 'Export Excel (.xlsx)' }).click())
    const file = join(temporary(), 'alarms.xlsx')
    await saved.saveAs(file)
    const sheet = await readSheet(readFileSync(file))
    expect(sheet).toHaveLength(2)
    expect(sheet[1]).toContain(names[1])
    await at.page.keyboard.press('Escape')
    await at.page.goto(`${at.penstock.origin}/alarmManagement/alramAnalyse`)
    await pane(at.page).getByRole('heading', { level: 1, name: 'Alarm statistics' }).waitFor()
    await pane(at.page).getByText('Mean time to acknowledge').waitFor()
    await expectAccessible(at.page)
    expect(at.browser.problems).toEqual([])
  })

  it('[route-alarminfo-untreated] the older entry of the list opens unhandled alarms only', async () => {
    await visit(at.page, '/alarmManagement/alarmInfo?type=untreated')
    await row(names[1]!).waitFor()
    await expect.poll(() => row(names[0]!).count()).toBe(0)
    await visit(at.page, '/alarmManagement/alarmInfo')
    await row(names[0]!).waitFor()
  })

  it('[route-alarminfomax-id] open by their number on the full screen', async () => {
    const { Id } = (await standing()).find((a) => a.RuleName === names[1])!
    await visit(at.page, `/alarmManagement/alarmInfoMax?Id=${Id}`)
    const drawer = dialog(at.page, names[1]!)
    await drawer.getByText('From 30 min before until now').waitFor()
    await at.page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    expect(new URL(at.page.url()).searchParams.has('Id')).toBe(false)
    await visit(at.page, '/alarmManagement/alarmInfo')
    await row(names[0]!).waitFor()
  })

  it('notify an incident system: its secret shows once, and a test is sent and logged', async () => {
    await visit(at.page, '/alarmManagement/webhook')
    await pane(at.page)
      .getByRole('button', { name: /^Add alarm webhook/i })
      .first()
      .click()
    const form = dialog(at.page)
    await form.getByLabel('Name').fill('Incident desk')
    await form.getByLabel('Address').fill('http://127.0.0.1:9/alarms')
    await form.getByRole('button', { name: 'Save' }).click()
    const secret = dialog(at.page, 'Secret of “Incident desk”')
    await secret.getByText(/^whsec_/).waitFor()
    await secret.getByRole('button', { name: "I've saved it" }).click()
    await secret.waitFor({ state: 'hidden' })
    await row('Incident desk').waitFor()
    await expectAccessible(at.page)
    await expectFits(at.page)
    await act('Incident desk', 'Send test')
    const log = dialog(at.page, 'Sent to “Incident desk”')
    // An address of the server's own machine is refused.
    await log.getByText('Failed').waitFor()
    await expectAccessible(at.page)
    await at.page.keyboard.press('Escape')
    await log.waitFor({ state: 'hidden' })
    expect(at.browser.problems).toEqual([])
  })

  it('say of their values what is true: in the list, the drawer, on a phone, in messages and in the sheet', async () => {
    const points = async (type: number) =>
      (await api<{ Items: Point[] }>('GET', `/Project/DevPara/List?PageSize=200&ParaDataType=${type}`)).Items
    const [low, band] = (await points(7)).slice(5)
    const switched = (await points(0)).find((p) => p.ZeroText && p.OneText)!
    const states = `(${switched.ZeroText}|${switched.OneText})`
    const rules = [
      {
        RuleName: 'Below',
        of: low!,
        Conditions: { OperateSymbol: 5, ParamValue: 1e6 },
        says: /^-?[\d,.]+ \S+ \(limit < 1,000,000\)$/,
        over: /^min -?[\d,.]+ \S+, \d/,
      },
      {
        ...{ RuleName: 'Within', of: band!, Conditions: { OperateSymbol: 7, ParamValue: -1e6, ParamValue2: 1e6 } },
        ...{ says: /^-?[\d,.]+ \S+ \(alarm between -1,000,000 and 1,000,000\)$/, over: /^alarm between -1,000,000 and 1,000,000, \d/ },
      },
      ...[0, 1].map((ParamValue) => ({
        ...{ RuleName: `Switch ${ParamValue}`, of: switched, Conditions: { OperateSymbol: 1, ParamValue } },
        ...{ says: new RegExp(`^${states}$`), over: new RegExp(`^${states}, \\d`) },
      })),
    ]
    const { EnterpriseId } = (await standing())[0]!
    const made: number[] = []
    for (const { RuleName, of, Conditions } of rules) {
      const condition = { TriggerStyle: 1, TriggerCondition: 1, AlarmParams: [{ ParaId: of.Id }], ...Conditions }
      const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [condition] }] }
      const rule = { RuleName, Status: 1, ProjectId: of.ProjectId, EnterpriseId, RuleConfigure }
      made.push((await api<{ Id: number }>('POST', '/Alarm/AlarmRule', rule)).Id)
    }
    // A switch is at 0 or at 1: one of its rules raises an alarm.
    const shown = [...rules.slice(0, 2), { ...rules[2]!, RuleName: 'Switch ' }]
    await visit(at.page, '/alarmManagement/alarmInfo')
    for (const { RuleName, says } of shown) {
      await row(RuleName).waitFor({ timeout: 60_000 })
      await row(RuleName).locator('.figures').getByText(says).waitFor()
    }
    await row('Below').getByRole('button', { name: 'Below', exact: true }).click()
    await dialog(at.page, 'Below').locator('.alarm-head').getByText(rules[0]!.says).waitFor()
    await at.page.keyboard.press('Escape')
    await dialog(at.page, 'Below').waitFor({ state: 'hidden' })
    const bell = async () =>
      (await api<{ Items: { PushTitle: string; PushContent: string }[] }>('GET', '/System/Notice/UserNoticeList?PageSize=100')).Items
    await expect
      .poll(async () => (await bell()).find((n) => n.PushTitle === 'Below')?.PushContent)
      .toMatch(/: -?[\d,.]+ \S+ \(limit < 1,000,000\)\. Level: /)
    await api('POST', '/Alarm/AlarmRule/Disable', { Ids: made })
    await visit(at.page, '/alarmManagement/alarmInfo?view=history')
    for (const { RuleName, over } of shown) await row(RuleName).locator('.figures').getByText(over).waitFor({ timeout: 60_000 })
    await at.page.setViewportSize({ width: 390, height: 844 })
    for (const { over } of shown) await pane(at.page).locator('.figures').getByText(over).first().waitFor()
    await expectFits(at.page)
    await at.page.setViewportSize({ width: 1280, height: 900 })
    const output = await fetch(`${at.penstock.origin}/api/Alarm/AlarmInfo/Output?Format=csv&Fields=RuleName,AlarmDesc&PageSize=100`, {
      headers: { authorization: `Bearer ${token}`, 'accept-language': 'en' },
    })
    const sheet = await output.text()
    for (const { RuleName, over } of shown) {
      const line = sheet.split('\r\n').find((text) => text.startsWith(RuleName))!
      expect(line.slice(line.indexOf(',') + 1).replaceAll('"', '')).toMatch(over)
    }
    expect(at.browser.problems).toEqual([])
  })
})
