// Rules that start from other rules: their messages, actions and simulated past.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readSheet } from '../../server/files/sheetReader.ts'
import { password, temporary, until } from '../front-door.ts'
import { callApi, dialog, downloaded, expectAccessible, journey, pane, shownIn, visit } from './browser.ts'
import { handsOf, isDrawn } from './hands.ts'
import { startOutside } from './outside.ts'
import { plantOf } from './plant.ts'

const { called, port } = await startOutside()
const env = { PENSTOCK_OUTBOUND: `127.0.0.1/32:${port}` }
journey('rules', { env, target: '/alarmManagement/alarmRules' }, (at) => {
  let token: string | undefined
  let names: Awaited<ReturnType<typeof plantOf>>['read'] & { tenant: number }
  let set: Awaited<ReturnType<typeof plantOf>>['set']
  const api = <T>(method: string, path: string, body?: unknown) => callApi<T>(at.penstock.origin, token, method, path, body)
  beforeAll(async () => {
    token = (await api<{ Token: string }>('POST', '/Auth/Login', { UserNO: 'admin', Pwd: password })).Token
    const plant = await plantOf(api)
    set = plant.set
    names = { ...plant.read, tenant: plant.tenant }
    // Rules of the plant notify people of its tenant.
    const EnterpriseId = plant.tenant
    // She gets messages about what she sees.
    const RoleIds = [(await api<{ Id: number }>('POST', '/System/Role', { RoleName: 'Watch', EnterpriseId })).Id]
    const nora = (await api<{ Id: number }>('POST', '/System/User', { UserNO: 'nora', UserName: 'Nora', EnterpriseId, RoleIds })).Id
    await api('POST', '/System/User', { UserNO: 'olaf', UserName: 'Olaf', EnterpriseId })
    const Shifts = [{ Start: '00:00', End: '12:00', Users: [nora] }]
    await api('POST', '/Alarm/AlarmRoster', { RosterName: 'Plant watch', Shifts, EnterpriseId })
    await api('POST', '/Alarm/AlmEmailTemplate', { TemplateName: 'In short', Title: '{title}', Content: '{content}', EnterpriseId })
    const condition = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 1e6, AlarmParams: [{ ParaId: names.id }] }
    const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [condition] }] }
    await api('POST', '/Alarm/AlarmRule', { RuleName: 'Very high', RuleConfigure, AlarmLevel: 3 })
  })

  const { row, act, add, away, choose, again } = handsOf(at)

  it('are kept as templates, and new ones begin with them', async () => {
    // Made after the list was asked for, it is shown when the list is asked for again.
    await at.page.goto(`${at.penstock.origin}/alarmManagement/alarmRules`)
    await act('Very high', 'Save as template')
    await at.page.getByText('Saved as template “Very high”.').waitFor()
    await visit(at.page, '/alarmManagement/alarmTemplate')
    await act('Very high', 'Create rule from template')
    const editor = dialog(at.page, 'New alarm rule')
    await editor.getByLabel('Name').fill('Very high too')
    await editor.getByRole('combobox', { name: 'Points' }).fill(names.point)
    await at.page.locator('.ant-select-dropdown:visible').getByText(`${names.device} · ${names.point}`).first().click()
    await editor
      .getByText(/is above 1,000,000\.$/)
      .filter({ hasText: names.point })
      .waitFor()
    await expectAccessible(at.page)
    // What is missing is below what one sees.
    await editor.getByRole('switch', { name: 'Notify' }).click()
    await editor.getByLabel('Name').focus()
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => editor.getByLabel('Notification channels').evaluate((el) => document.activeElement === el)).toBe(true)
    await editor.getByRole('switch', { name: 'Notify' }).click()
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'hidden' })
    const { Items } = await api<{ Items: { RuleName: string; AlarmLevel: number }[] }>('GET', '/Alarm/AlarmRule/List?RuleName=too')
    expect(Items).toMatchObject([{ RuleName: 'Very high too', AlarmLevel: 3 }])
  })

  it('know who is on call when: a roster is saved and opened again', async () => {
    await visit(at.page, '/alarmManagement/roster')
    await pane(at.page).getByRole('heading', { level: 1, name: 'On-call rosters' }).waitFor()
    await add('on-call roster')
    const form = dialog(at.page)
    await form.getByLabel('Name').fill('Always')
    await form.getByRole('button', { name: 'Add shift' }).click()
    await form.getByLabel('From').fill('00:00')
    await form.getByLabel('Until').fill('12:00')
    await choose(form, 'People', /^Nora/)
    await form.getByRole('button', { name: 'Add shift' }).click()
    await form.getByLabel('From').last().fill('12:00')
    await form.getByLabel('Until').last().fill('00:00')
    await choose(
      form.locator('fieldset').last(),
      'Weekdays',
      ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    )
    await choose(form.locator('fieldset').last(), 'People', /^Nora/, /^Olaf/)
    await expectAccessible(at.page)
    await again(form, async () => {
      await row('Always').getByText('12:00–00:00').waitFor()
      await act('Always', 'Edit')
      await form.getByLabel('From').last().waitFor()
    })
    await at.page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
  })

  it('reach a person as he has set it for himself, and again as the tenant has', async () => {
    await visit(at.page, '/alarmManagement/reminderSetting')
    await pane(at.page).getByRole('heading', { level: 1, name: 'Reminders' }).waitFor()
    await pane(at.page).getByRole('switch', { name: 'Remind until acknowledged' }).click()
    await pane(at.page).getByRole('checkbox', { name: 'Medium' }).check()
    await pane(at.page).getByRole('spinbutton', { name: 'Every' }).fill('7')
    await pane(at.page).getByRole('spinbutton', { name: 'Maximum reminders' }).fill('3')
    await expectAccessible(at.page)
    await pane(at.page).getByRole('button', { name: 'Save' }).click()
    await at.page.getByText('Saved.').waitFor()
    const reminder = { Enabled: 1, Levels: [2, 3], Interval: 7, Times: 3 }
    await expect.poll(() => api('GET', '/Alarm/ReminderSetting')).toEqual({ ...reminder, UpdateStamp: expect.any(Number) })
    await visit(at.page, '/alarmManagement/alarmUserSetting')
    await pane(at.page).getByRole('heading', { level: 1, name: 'My alarm settings' }).waitFor()
    await pane(at.page).getByRole('checkbox', { name: 'E-mail' }).uncheck()
    await pane(at.page).getByRole('switch', { name: 'Quiet hours' }).click()
    await pane(at.page).getByLabel('Quiet from').fill('02:00')
    await pane(at.page).getByLabel('Quiet until').fill('02:01')
    await pane(at.page).getByRole('radio', { name: 'Do not send' }).check()
    await expectAccessible(at.page)
    const before = await shownIn(pane(at.page))
    await pane(at.page).getByRole('button', { name: 'Save' }).click()
    const own = { Levels: [1, 2, 3], Methods: [1, 2, 4, 5, 6], NoDisturb: { Enabled: 1, Start: '02:00', End: '02:01', Mode: 1 } }
    await expect.poll(() => api('GET', '/Alarm/AlarmUserSetting')).toMatchObject(own)
    await at.page.reload()
    await pane(at.page).getByLabel('Quiet from').waitFor()
    expect(await shownIn(pane(at.page))).toEqual(before)
  })

  it('name recipients and actions: saved, reopened unchanged, and carried out when the alarm is raised', async () => {
    await visit(at.page, '/alarmManagement/alarmRules')
    await row('Very high too').waitFor()
    await add('alarm rule')
    const editor = dialog(at.page)
    await editor.getByLabel('Name').fill('All of it')
    await choose(editor, 'Level', 'High')
    const points = editor.getByRole('combobox', { name: 'Points' })
    await points.fill(names.point)
    await at.page.locator('.ant-select-dropdown:visible').getByText(`${names.device} · ${names.point}`).first().click()
    await away()
    await editor.getByRole('spinbutton', { name: 'Value', exact: true }).fill('-1000000')
    // The same point again, of chosen devices: the alarm is then each device's own.
    await editor.getByRole('button', { name: 'Add condition' }).click()
    await at.page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: 'Outside a range' }).click()
    await editor.locator('.rule-group').getByText('or', { exact: true }).click()
    const second = editor.locator('.rule-condition').last()
    await second.getByText('Selected devices', { exact: true }).click()
    await second.getByRole('combobox', { name: 'Devices' }).fill(names.device)
    await choose(second, 'Devices', names.device)
    await choose(second, 'Points', names.point)
    await second.getByRole('spinbutton', { name: 'Value', exact: true }).fill('-1000000')
    await second.getByRole('spinbutton', { name: 'Second value' }).fill('1000000')
    await editor.getByText(`${names.point} of 1 chosen device is outside`).waitFor()
    await editor.getByRole('checkbox', { name: /^Clear only after/ }).check()
    await editor.getByRole('spinbutton', { name: /^Clear only after/ }).fill('45')
    await editor.getByRole('switch', { name: 'Notify' }).click()
    await choose(editor, 'People', /^Administrator/)
    await choose(editor, 'Message priority', 'First')
    await editor.getByText('its messages are sent first').waitFor()
    await choose(editor, 'Notification channels', 'In-app', 'E-mail')
    await choose(editor, 'Template: E-mail', 'In short')
    await choose(editor, 'People', /^Nora/)
    await choose(editor, 'On-call rosters', 'Plant watch')
    await choose(editor, 'Frequency', 'Repeat until acknowledged')
    await editor.getByRole('spinbutton', { name: 'Every' }).fill('15')
    await editor.getByRole('checkbox', { name: 'Also notify when it clears' }).check()
    await choose(editor, 'Minimum level', 'Medium')
    await editor.getByRole('checkbox', { name: /debounce/ }).check()
    await editor.getByRole('spinbutton', { name: 'Number of times' }).fill('1')
    await editor.getByRole('spinbutton', { name: 'Duration' }).fill('9')
    await choose(editor.locator('.rule-words').filter({ hasText: 'times within' }), 'Time unit', 'minutes')
    await editor.getByRole('checkbox', { name: 'Quiet hours' }).check()
    await editor.getByLabel('Quiet from').fill('22:00')
    await editor.getByLabel('Quiet until').fill('05:30')
    await choose(editor, 'Quiet hours', 'do not send')
    await editor.getByRole('button', { name: 'Add step' }).click()
    const step = editor.locator('fieldset').last()
    await step.getByRole('spinbutton', { name: 'After' }).fill('20')
    await choose(step, 'Notification channels', 'In-app')
    await choose(step, 'People', /^Nora/)
    await editor.getByRole('button', { name: 'Add write' }).click()
    const written = editor.getByRole('combobox', { name: 'Write' })
    await written.fill(names.point)
    await at.page.getByText('No writable point in this project has that name.').waitFor()
    await written.fill(set.point)
    await at.page.locator('.ant-select-dropdown:visible').getByText(`${set.device} · ${set.point}`).first().click()
    await editor.getByRole('spinbutton', { name: 'Value', exact: true }).last().fill(String(set.value))
    await editor.getByRole('spinbutton', { name: 'after (seconds)' }).fill('1')
    await editor.getByRole('button', { name: 'Call a webhook' }).click()
    await editor.getByRole('textbox', { name: 'Call webhook' }).fill(`http://127.0.0.1:${port}/alarms`)
    await editor.getByRole('button', { name: 'Post a notice' }).click()
    await choose(editor.locator('.rule-words').filter({ hasText: 'Notify' }), 'People', /^Nora/)
    await editor.getByRole('textbox', { name: 'Text (default: the alarm)' }).fill('Close the inlet.')
    await expectAccessible(at.page)
    await again(editor, async () => {
      await act('All of it', 'Edit')
      await editor.getByLabel('Quiet from').waitFor()
      for (const kept of ['In short', 'Plant watch']) await editor.locator('.ant-select').getByText(kept, { exact: true }).waitFor()
    })
    await at.page.keyboard.press('Escape')
    await editor.waitFor({ state: 'hidden' })
    type Alarm = { Id: number; RuleName: string }
    const standing = () => api<{ Items: Alarm[] }>('GET', '/Alarm/AlarmInfo/List?IsActive=1&RuleName=All')
    const alarm = await until('the alarm', async () => (await standing()).Items.find((a) => a.RuleName === 'All of it'))
    type Entry = { Kind: string; Method: string; UserName: string; SendStatus: number; ErrorText: string }
    const said = async () =>
      (await api<Entry[]>('GET', `/Alarm/AlarmInfo/PushTimeline?Id=${alarm.Id}`)).map((e) =>
        [e.Kind, e.Method, e.UserName, e.SendStatus, e.ErrorText].join(' ').trim(),
      )
    await expect
      .poll(said)
      .toEqual(
        expect.arrayContaining([
          'raised site Nora 1',
          'raised email Nora 5 noEmail',
          'action write  1',
          'action webhook  1',
          'action site Nora 1',
        ]),
      )
    expect(called).toMatchObject([{ Title: 'All of it' }])
    const reads = () => api<{ Value: number }[]>('GET', `/Alarm/AlarmRule/ParaSearch?ParaIds=${set.id}`)
    await expect.poll(async () => (await reads())[0]!.Value).toBeCloseTo(set.value, 1)
  })

  it('are tried on what is stored before they watch, while the editor shows what the point reads now', async () => {
    await visit(at.page, '/alarmManagement/alarmRules')
    await add('alarm rule')
    const editor = dialog(at.page)
    await editor.getByRole('button', { name: 'Add write' }).click()
    await editor.getByText('Choose a point for a condition first. A rule can only write points in its own project.').waitFor()
    await editor.getByRole('button', { name: 'Remove: Write' }).click()
    await editor.getByRole('combobox', { name: 'Points' }).fill(names.point)
    await at.page.locator('.ant-select-dropdown:visible').getByText(`${names.device} · ${names.point}`).first().click()
    await away()
    const now = editor.locator('.rule-live').filter({ hasText: names.point }).locator('.figures')
    const shown = new Set<string>()
    await expect.poll(async () => shown.add((await now.textContent()) ?? '').size).toBeGreaterThan(2)
    expect([...shown]).toEqual([...shown].map(() => expect.stringMatching(/^now -?[\d,.]+ /)))
    // From a minute ago on it is above everything it has ever read.
    await editor.getByRole('spinbutton', { name: 'Value', exact: true }).fill('-1000000')
    const trial = editor.getByRole('region', { name: 'Test on history' })
    await trial.getByText('last 30 days').waitFor()
    await trial.getByRole('button', { name: 'Test on history' }).click()
    await trial.getByText(/^Would have triggered once \([\d,]+ readings checked\) for /).waitFor()
    const [alarm, ...others] = await trial.getByRole('listitem').allInnerTexts()
    expect(others).toEqual([])
    expect(alarm).toMatch(new RegExp(`ongoing · .*${names.point}`))
    await trial.getByRole('img', { name: 'When the alarm was active' }).locator('rect').waitFor({ state: 'attached' })
    const chart = trial.locator('canvas').first()
    await chart.waitFor()
    await expect.poll(() => isDrawn(chart)).toBe(true)
    await expectAccessible(at.page)
    await at.page.keyboard.press('Escape')
    await dialog(at.page).getByRole('button', { name: 'Discard' }).click()
    await editor.waitFor({ state: 'hidden' })
  })

  it('watch every device of a model, which the editor offers with how many devices it means', async () => {
    const { Id: ModelId } = await api<{ Id: number }>('POST', '/ProModel/ProModel', { ModelName: 'P-100', EnterpriseId: names.tenant })
    await api('PUT', '/Project/Device', { Id: names.deviceId, ModelId })
    await visit(at.page, '/alarmManagement/alarmRules')
    await add('alarm rule')
    const editor = dialog(at.page)
    await editor.getByLabel('Name').fill('All P-100')
    await editor.getByText('All devices of a model', { exact: true }).click()
    await choose(editor, 'Device model', /^P-100 .+ · 1 device$/)
    await choose(editor, 'Points', names.point)
    await editor.getByRole('spinbutton', { name: 'Value', exact: true }).fill('1000000')
    await editor.getByText(`${names.point} of any P-100 device is above 1,000,000.`).waitFor()
    await expectAccessible(at.page)
    await again(editor, async () => {
      await row('All P-100').getByText('of any P-100 device').waitFor()
      await act('All P-100', 'Edit')
      await editor.getByText(/^\S.+ · 1 device$/).waitFor()
    })
    await at.page.keyboard.press('Escape')
    await editor.waitFor({ state: 'hidden' })
  })

  it('leave as a sheet that names their points', async () => {
    await visit(at.page, '/alarmManagement/alarmRules')
    await row('Very high too').waitFor()
    await pane(at.page).getByRole('button', { name: 'Export', exact: true }).click()
    const saved = await downloaded(at.page, () => at.page.getByRole('menuitem', { name: 'Export Excel (.xlsx)' }).click())
    const file = join(temporary(), 'rules.xlsx')
    await saved.saveAs(file)
    const sheet = await readSheet(readFileSync(file))
    expect(sheet.flat()).toContain(`{${names.device} / ${names.point}} > 1000000`)
    expect(at.browser.problems).toEqual([])
  })
})
