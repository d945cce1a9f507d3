// A month's report of energy with its cost: from the template over the schedule into the inbox.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMailServer } from '../../main/testing/providers.ts'
import { openFrontDoor, password, until } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, openSignedIn, pane, visit } from './browser.ts'
import { handsOf } from './hands.ts'

type Rows<T> = { Items: T[] }
const mail = await startMailServer()
afterAll(() => mail.close())

const env = { PENSTOCK_DEMO_HISTORY: '3', PENSTOCK_OUTBOUND: `127.0.0.1/32:${mail.port}` }
journey('a month of energy in the inbox', { env }, (at) => {
  let manager: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    const door = await openFrontDoor(at.penstock.origin)
    const EnterpriseId = await until('the reports of the demo', async () => {
      const { Items } = await door.data<Rows<{ EnterpriseId: number; TemplateName: string }>>('GET', '/DataCenter/ReportTemplate/List')
      return Items.find(({ TemplateName }) => TemplateName === 'Energy of the month')?.EnterpriseId
    })
    const path = `/System/Role/List?EnterpriseId=${EnterpriseId}&PageSize=100`
    const roles = await door.data<Rows<{ Id: number; RouteRole: string | null }>>('GET', path)
    const RoleIds = roles.Items.flatMap(({ Id, RouteRole }) => (RouteRole === 'admin' ? [Id] : []))
    const draft = { UserNO: 'nuria', UserName: 'Nuria', Email: 'nuria@example.com', EnterpriseId, RoleIds }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/User', draft)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login('nuria', OneTimePwd))
    const mails = {
      ...{ EmailOn: 1, EmailHost: '127.0.0.1', EmailPort: mail.port, EmailTls: 'none', EmailUser: 'mailer', EmailPassword: 'mail secret' },
      EmailFrom: 'Penstock <reports@example.com>',
    }
    await door.data('PUT', '/System/WechatConfig/MessagePush', mails, await door.login('nuria', password))
    manager = await openBrowser(at.penstock.origin, { known: ['nuria'] })
    await openSignedIn(manager.page, at.penstock.origin, 'nuria', password, '/dataAnalysis/reportTemplates')
  }, 300_000)
  afterAll(() => manager?.close())

  it('the demo has reports of energy, and a schedule of one sends it to who asks for a test', async () => {
    const { page } = manager
    const { row, add, choose, act } = handsOf(manager)
    await row('Energy of the month').getByText('Energy, Cost of energy').waitFor()
    await expectAccessible(page)
    await visit(page, '/dataAnalysis/reportSchedules')
    await row('Energy of the day').waitFor()
    await add('report schedule')
    const form = dialog(page).last()
    await form.getByLabel('Name', { exact: true }).fill('Monthly energy')
    await choose(form, 'Template', 'Energy of the month')
    await choose(form, 'By e-mail to', 'Nuria')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    await act('Monthly energy', 'Send a test to me')
    const [sent] = await until('the report in the inbox', () => mail.mails.length > 0 && mail.mails)
    expect(sent!.to).toEqual(['nuria@example.com'])
    expect(sent!.text).toMatch(/filename=.*\.pdf/)
    await visit(page, '/dataAnalysis/reportRuns')
    await pane(page).getByRole('row').filter({ hasText: 'Monthly energy' }).getByText('.pdf').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    expect(manager.problems).toEqual([])
  }, 300_000)
})
