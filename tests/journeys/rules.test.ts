// Rules that begin with others, whom alarms reach, and those outside who are told of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { readSheet } from '../../server/files/xlsx.ts'
import { password, temporary, until } from '../house.ts'
import { callApi, dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

/** What a form shows: texts, numbers, choices, switches. */
const shownIn = (form: Locator) =>
  form.evaluate((el) =>
    [...el.querySelectorAll<HTMLElement>('input, textarea, [role=switch], .ant-select')].map((x) => {
      if (x instanceof HTMLTextAreaElement) return x.value
      if (x instanceof HTMLInputElement) return ['checkbox', 'radio'].includes(x.type) ? x.checked : x.value
      return x.getAttribute('aria-checked') ?? x.textContent
    }),
  )

journey('rules and webhooks', { env: {}, target: '/alarmManagement/alarmRules' }, (at) => {
  let token: string | undefined
  let names: { device: string; point: string }
  const api = <T>(method: string, path: string, body?: unknown) => callApi<T>(at.penstock.origin, token, method, path, body)
  type Point = { Id: number; ParaName: string; DeviceName: string }
  beforeAll(async () => {
    token = (await api<{ Token: string }>('POST', '/Auth/Login', { UserNO: 'admin', Pwd: password })).Token
    const point = await until(
      'the plant',
      async () => (await api<{ Items: Point[] }>('GET', '/Project/DevPara/List?PageSize=1&ParaDataType=7')).Items[0],
      60_000,
    )
    await api('POST', '/System/User', { UserNO: 'nora', UserName: 'Nora' })
    names = { device: point.DeviceName, point: point.ParaName }
    const condition = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 1e6, AlarmParams: [{ ParaId: point.Id }] }
    const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [condition] }] }
    await api('POST', '/Alarm/AlarmRule', { RuleName: 'Very high', RuleConfigure, AlarmLevel: 3 })
  })

  const row = (name: string) => pane(at.page).getByRole('row').filter({ hasText: name }).first()
  const act = async (name: string, action: string) => {
    await row(name).waitFor()
    const direct = row(name).getByRole('button', { name: `${action}: ${name}`, exact: true })
    if (await direct.count()) return direct.click()
    await row(name)
      .getByRole('button', { name: /^More actions/ })
      .click()
    await at.page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: action }).click()
  }

  it('are kept as templates, and new ones begin with them', async () => {
    // Made after the list was asked for, it is shown when the list is asked for again.
    await at.page.goto(`${at.penstock.origin}/alarmManagement/alarmRules`)
    await act('Very high', 'Save as template')
    await at.page.getByText('Saved as template “Very high”.').waitFor()
    await visit(at.page, '/alarmManagement/alarmTemplate')
    await act('Very high', 'New rule from it')
    const editor = dialog(at.page, 'New alarm rule')
    await editor.getByLabel('Name').fill('Very high too')
    await editor.getByRole('combobox', { name: 'Points' }).fill(names.point)
    await at.page.locator('.ant-select-dropdown:visible').getByText(`${names.device} · ${names.point}`).first().click()
    await editor
      .getByText(/is above 1,000,000\.$/)
      .filter({ hasText: names.point })
      .waitFor()
    await expectAccessible(at.page)
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'hidden' })
    const { Items } = await api<{ Items: { RuleName: string; AlarmLevel: number }[] }>('GET', '/Alarm/AlarmRule/List?RuleName=too')
    expect(Items).toMatchObject([{ RuleName: 'Very high too', AlarmLevel: 3 }])
  })

  /** Beside all choices: closes the list that is open. */
  const away = () => at.page.locator('.ant-modal-title, .ant-drawer-title').filter({ visible: true }).last().click()
  /** Opens a list of choices, presses some and leaves it. */
  const choose = async (within: Locator, label: string, ...choices: (string | RegExp)[]) => {
    const box = within.getByRole('combobox', { name: label, exact: true })
    await box.click()
    for (const choice of choices)
      await at.page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: choice }).first().click()
    await away()
  }
  /** Saves what is open, opens it again, and compares. */
  const again = async (form: Locator, open: () => Promise<void>) => {
    const before = await shownIn(form)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    await open()
    await expect.poll(() => shownIn(form)).toEqual(before)
  }

  it('know who is on call when: a roster is saved and opened again', async () => {
    await visit(at.page, '/alarmManagement/roster')
    await pane(at.page).getByRole('heading', { level: 1, name: 'On-call rosters' }).waitFor()
    await pane(at.page)
      .getByRole('button', { name: /^Add on-call roster/i })
      .first()
      .click()
    const form = dialog(at.page)
    await form.getByLabel('Name').fill('Always')
    await form.getByRole('button', { name: 'Add shift' }).click()
    await form.getByLabel('From').fill('00:00')
    await form.getByLabel('Until').fill('12:00')
    await choose(form, 'People', /^Administrator/)
    await form.getByRole('button', { name: 'Add shift' }).click()
    await form.getByLabel('From').last().fill('12:00')
    await form.getByLabel('Until').last().fill('00:00')
    await choose(
      form.locator('fieldset').last(),
      'Weekdays',
      ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    )
    await choose(form.locator('fieldset').last(), 'People', /^Administrator/, /^Nora/)
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
    await pane(at.page).getByRole('heading', { level: 1, name: 'Reminder settings' }).waitFor()
    await pane(at.page).getByRole('switch', { name: 'Remind until acknowledged' }).click()
    await pane(at.page).getByRole('checkbox', { name: 'Normal' }).check()
    await pane(at.page).getByRole('spinbutton', { name: 'Every' }).fill('7')
    await pane(at.page).getByRole('spinbutton', { name: 'At most so many times' }).fill('3')
    await expectAccessible(at.page)
    await pane(at.page).getByRole('button', { name: 'Save' }).click()
    await at.page.getByText('Saved.').waitFor()
    const reminder = { Enabled: 1, Levels: [2, 3], Interval: 7, Times: 3 }
    await expect.poll(() => api('GET', '/Alarm/ReminderSetting')).toEqual(reminder)
    await visit(at.page, '/alarmManagement/alarmUserSetting')
    await pane(at.page).getByRole('heading', { level: 1, name: 'My alarm settings' }).waitFor()
    await pane(at.page).getByRole('checkbox', { name: 'E-mail' }).uncheck()
    await pane(at.page).getByRole('switch', { name: 'Quiet hours' }).click()
    await pane(at.page).getByLabel('Quiet from').fill('02:00')
    await pane(at.page).getByLabel('Quiet until').fill('02:01')
    await pane(at.page).getByRole('radio', { name: 'Are not sent' }).check()
    await expectAccessible(at.page)
    const before = await shownIn(pane(at.page))
    await pane(at.page).getByRole('button', { name: 'Save' }).click()
    const own = { Levels: [1, 2, 3], Methods: [1, 2, 4, 5, 6], NoDisturb: { Enabled: 1, Start: '02:00', End: '02:01', Mode: 1 } }
    await expect.poll(() => api('GET', '/Alarm/AlarmUserSetting')).toMatchObject(own)
    await at.page.reload()
    await pane(at.page).getByLabel('Quiet from').waitFor()
    expect(await shownIn(pane(at.page))).toEqual(before)
  })

  it('leave as a sheet that names their points', async () => {
    await visit(at.page, '/alarmManagement/alarmRules')
    await row('Very high too').waitFor()
    await pane(at.page).getByRole('button', { name: 'Export', exact: true }).click()
    const downloading = at.page.waitForEvent('download')
    await at.page.getByRole('menuitem', { name: 'Export as spreadsheet' }).click()
    const file = join(temporary(), 'rules.xlsx')
    await (await downloading).saveAs(file)
    const sheet = await readSheet(readFileSync(file))
    expect(sheet.flat()).toContain(`{${names.device} / ${names.point}} > 1000000`)
  })

  it('tell an incident system: its secret is shown once, a test is sent and stands in the log', async () => {
    await visit(at.page, '/alarmManagement/webhook')
    await pane(at.page)
      .getByRole('button', { name: /^Add alarm webhook/i })
      .first()
      .click()
    const form = dialog(at.page)
    await form.getByLabel('Name').fill('Incident desk')
    await form.getByLabel('Address').fill('http://127.0.0.1:9/alarms')
    await form.getByRole('button', { name: 'Save' }).click()
    const secret = dialog(at.page, 'Key of “Incident desk”')
    await secret.getByText(/^whsec_/).waitFor()
    await secret.getByRole('button', { name: 'I have kept it' }).click()
    await secret.waitFor({ state: 'hidden' })
    await row('Incident desk').waitFor()
    await expectAccessible(at.page)
    await expectFits(at.page)
    await act('Incident desk', 'Send a test')
    const log = dialog(at.page, 'Sent to “Incident desk”')
    // An address of the server's own machine is refused.
    await log.getByText('Failed').waitFor()
    await expectAccessible(at.page)
    await at.page.keyboard.press('Escape')
    await log.waitFor({ state: 'hidden' })
    expect(at.browser.problems).toEqual([])
  })
})
