// Rules that begin with others, and those outside who are told of alarms.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readSheet } from '../../server/files/xlsx.ts'
import { password, temporary, until } from '../house.ts'
import { callApi, dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

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
