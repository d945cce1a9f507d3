import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf, type Menu, menus } from '../../contract/menus.ts'
import { word } from '../../server/http/words.ts'
import { password } from '../front-door.ts'
import { browserPath, expectFits, openBrowser, signIn, startPenstock, visit, why } from './browser.ts'

/** `works`: the button is there. `looks`: the screen is there, the button is not. `absent`: neither menu nor screen, and the call answers 403. */
type Result = 'works' | 'looks' | 'absent'
type Row = {
  path: string
  /** Where it is not the title of the menu. */
  heading?: string
  /** The permission to make changes here. Without it, everybody who sees the screen may. */
  button?: string
  /** A call that reads what the screen shows. */
  call?: string
  platform: Result
  manager: Result
  viewer: Result
}
const own = { platform: 'works', manager: 'works', viewer: 'works' } as const
const ofTenant = { platform: 'works', manager: 'works', viewer: 'absent' } as const
const looked = { platform: 'works', manager: 'works', viewer: 'looks' } as const
const ofPlatform = { platform: 'works', manager: 'absent', viewer: 'absent' } as const

const rows: Row[] = [
  { path: 'personal/info', call: '/System/User/Account', ...own },
  { path: 'personal/password', button: 'Change password', ...own },
  { path: 'layout/NoticeList', ...own },
  { path: 'user', button: 'Add user', call: '/System/User/List', ...ofTenant },
  { path: 'role', button: 'Add role', call: '/System/Role/List', ...ofTenant },
  { path: 'data', button: 'Add data permission', call: '/System/DataPermissions/List', ...ofTenant },
  { path: 'info/enterprise', button: 'Save', ...ofTenant },
  { path: 'organization', button: 'Add organisation', ...ofTenant },
  { path: 'department', ...ofTenant },
  { path: 'position', button: 'Add job title', call: '/System/Post/List', ...ofTenant },
  { path: 'region', button: 'Add region', ...ofTenant },
  { path: 'dictContent', button: 'Add lookup value', call: '/System/DataDict/List', ...ofTenant },
  { path: 'notice', button: 'New announcement', call: '/System/Notice/List', ...ofTenant },
  { path: 'messageTemplate', button: 'Add e-mail template', call: '/Alarm/AlmEmailTemplate/List', ...ofTenant },
  { path: 'configWeChat', button: 'Save', call: '/System/WechatConfig', ...ofTenant },
  { path: 'configWeChat?tab=ding', heading: 'Notification channels', button: 'robot', ...ofTenant },
  { path: 'interfaceManage', button: 'Add API credential', call: '/System/Api/List', ...ofTenant },
  { path: 'agent', button: 'Add agent', call: '/V3/System/CrossRegionSale/AgentList', ...ofTenant },
  { path: 'gatewayPosition', button: 'Add position', call: '/V3/System/CrossRegionSale/SN_Position/List', ...ofTenant },
  { path: 'gatewaySN', call: '/V3/System/CrossRegionSale/SN_AgentList', ...ofTenant },
  { path: 'gatewayPosition/outbound', button: 'Ship', ...ofTenant },
  { path: 'gatewayPosition/history', call: '/V3/System/CrossRegionSale/SN_Agent_OPLogList', ...ofTenant },
  { path: 'gatewayPosition/agent', ...ofTenant },
  { path: 'alarmSetting', button: 'Add gateway alarm setting', call: '/Alarm/AlarmSetting/List', ...looked },
  { path: 'alarmTemplate', button: 'Add alarm template', call: '/Alarm/AlmTemplate/List', ...looked },
  { path: 'alarmUserSetting', button: 'Save', call: '/Alarm/AlarmUserSetting', ...own },
  { path: 'reminderSetting', button: 'Save', call: '/Alarm/ReminderSetting', ...looked },
  { path: 'userSetting', button: 'Edit 0 selected', call: '/Alarm/AlarmUserSetting/List', ...looked },
  { path: 'gatewayEvent', call: '/Events/Events/List', ...own },
  { path: 'firewall', button: 'Open', call: '/Firewall/State', ...ofPlatform },
  { path: 'enterpriseManage', button: 'Add company', call: '/System/Enterprise/Manager?EnterpriseId=1', ...ofPlatform },
  { path: 'tenant/manage?Id=2', heading: 'Riverside', button: 'Save', call: '/System/Enterprise/Grant?EnterpriseId=2', ...ofPlatform },
  { path: 'info/platform', button: 'Save', ...ofPlatform },
  { path: 'menu', button: 'Add link', call: '/System/Menu/List', ...ofPlatform },
  { path: 'log', button: 'Verify log', call: '/System/Log/List', ...ofTenant },
  { path: 'experienceLog', call: '/System/TrialUserLog/List', ...ofTenant },
  { path: 'timingTask', button: 'Add task', call: '/System/Timer/List', ...ofPlatform },
  { path: 'backup', button: 'Back up now', call: '/System/Backup/DBFiles', ...ofPlatform },
  { path: 'monitor', button: 'Limits', call: '/System/Monitor/MachineUseInfo', ...ofPlatform },
  { path: 'dictType', button: 'Add lookup list', ...ofPlatform },
]

/** Addresses whose purpose another screen serves: below system management, as each of the three is led. */
const led: [address: string, platform: string, manager: string, viewer: string][] = [
  ['', 'info/platform', 'info/enterprise', 'layout/NoticeList'],
  ['/info/system', 'info/platform', 'info/enterprise', '404'],
  ['/roleauth', 'role', 'role', '404'],
  ['/useauth', 'user', 'user', '404'],
  ['/userManage', 'user', 'user', '404'],
  ['/tenant/user?Id=2', 'user?EnterpriseId=2', '404', '404'],
  ['/enterpriseManage/manage?Id=2', 'tenant/manage?Id=2&tab=managers', '404', '404'],
]

const places = (of: readonly Menu[], above = ''): { code: string; at: string }[] =>
  of.flatMap((m) => [{ code: m.code, at: addressOf(m, above) }, ...places(m.children ?? [], addressOf(m, above))])
/** The menu at a path below one of the top addresses. */
const placeOf = (path: string) => places(menus).find(({ at }) => at.replace(/^\/\w+\//, '') === path.split('?')[0])
/** A screen is headed by the title of its menu. */
const headingOf = ({ path, heading }: Row) => heading ?? word('en', `menu.${placeOf(path)?.code}`)
const addressAt = (path: string) => `${placeOf(path)?.at}${path.replace(/^[^?]*/, '')}`

type Answer<T> = { Succeeded: boolean; StatusCode: number; Data: T; Errors: string | null }

describe.skipIf(!browserPath)(`the administration screens${why}`, () => {
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  const tokens: Record<string, string> = {}
  const call = async <T>(as: string | undefined, method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const headers = {
      'content-type': 'application/json',
      'accept-language': 'en',
      ...(as ? { authorization: `Bearer ${tokens[as]}` } : {}),
    }
    const answer = await fetch(`${penstock.origin}/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return (await answer.json()) as Answer<T>
  }
  const data = async <T>(as: string | undefined, method: string, path: string, body?: unknown) => {
    const answer = await call<T>(as, method, path, body)
    expect(answer.Errors, path).toBeNull()
    return answer.Data
  }
  const login = async (name: string, UserNO: string, Pwd: string) => {
    tokens[name] = (await data<{ Token: string }>(undefined, 'POST', '/Auth/Login', { UserNO, Pwd })).Token
  }
  /** Signs in with a one-time password and chooses the one of all tests. */
  const enter = async (name: string, UserNO: string, OldPwd: string) => {
    await login(name, UserNO, OldPwd)
    tokens[name] = (await data<{ Token: string }>(name, 'POST', '/System/User/SetPwd', { OldPwd, NewPwd: password })).Token
  }

  beforeAll(async () => {
    penstock = await startPenstock({ PENSTOCK_DEMO: 'off', PENSTOCK_ADMIN_PASSWORD: password })
    await login('platform', 'admin', password)
    const made = await data<{ UserNO: string; OneTimePwd: string }>('platform', 'POST', '/System/Enterprise', {
      Name: 'Riverside',
      ManagerNO: 'rita',
      ManagerName: 'Rita',
    })
    await enter('manager', made.UserNO, made.OneTimePwd)
    const roles = await data<{ Items: { Id: number; RoleName: string }[] }>('manager', 'GET', '/System/Role/List?RoleName=Viewer')
    const viewer = await data<{ OneTimePwd: string }>('manager', 'POST', '/System/User', {
      UserNO: 'victor',
      UserName: 'Victor',
      RoleIds: [roles.Items[0]!.Id],
    })
    await enter('viewer', 'victor', viewer.OneTimePwd)
  })
  afterAll(() => penstock?.close())

  const people = { platform: 'admin', manager: 'rita', viewer: 'victor' } as const

  it.concurrent.each(Object.keys(people) as (keyof typeof people)[])(
    'are to the %s what he may make of them',
    { timeout: 300_000 },
    async (who) => {
      const { page, problems, close } = await openBrowser(penstock.origin)
      try {
        await signIn(page, penstock.origin, people[who], password)
        const pane = page.locator('.pane:visible')
        await page.getByRole('navigation').first().waitFor()
        for (const row of rows) {
          const result = row[who]
          await visit(page, addressAt(row.path))
          if (result === 'absent') {
            await page.waitForURL(/\/404$/).catch(() => {
              throw new Error(`${row.path}: ${page.url()} ${problems.join(' ')}`)
            })
            expect(await page.locator(`nav a[href="${addressAt(row.path)}"]`).count(), row.path).toBe(0)
          } else {
            await pane.getByRole('heading', { level: 1, name: headingOf(row), exact: true }).waitFor()
            const button = row.button && pane.getByRole('button', { name: new RegExp(`${row.button}$`) }).first()
            if (button && result === 'works') await button.waitFor()
            else if (button) expect(await button.count(), row.path).toBe(0)
            await expectFits(page)
          }
          if (row.call) {
            const { StatusCode } = await call(who, 'GET', row.call)
            expect(StatusCode, `${who} ${row.call}`).toBe(result === 'absent' ? 403 : 200)
          }
        }
        const place = ({ platform: 1, manager: 2, viewer: 3 } as const)[who]
        for (const row of led) {
          await page.goto(`${penstock.origin}/systemManagement${row[0]}`)
          const target = row[place]
          await page.waitForURL(`${penstock.origin}${target === '404' ? '' : '/systemManagement'}/${target}`)
          if (target !== '404') await pane.getByRole('heading', { level: 1 }).waitFor()
        }
        expect(problems).toEqual([])
      } finally {
        await close()
      }
    },
  )

  it('a manager looks at the console as a role, may change nothing, and comes back', async () => {
    const { page, close } = await openBrowser(penstock.origin)
    try {
      await signIn(page, penstock.origin, 'rita', password, '/systemManagement/role')
      await page.getByRole('button', { name: 'Preview console as this role: Viewer' }).click()
      await page.getByText('You are previewing the console as “Viewer”. Changes are disabled.').waitFor()
      expect(await page.locator('nav a[href="/systemManagement/user"]').count()).toBe(0)
      await page.goto(`${penstock.origin}/projectManagement/projectConfig`)
      await page.locator('.pane:visible').getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByRole('button', { name: 'Add project' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Exit preview' }).click()
      await page
        .locator('.pane:visible')
        .getByRole('button', { name: /Add role$/ })
        .waitFor()
    } finally {
      await close()
    }
  })

  it('a visitor asks for a trial account from the login, the platform grants it, and he looks around', async () => {
    await data('platform', 'PUT', '/System/Enterprise', { Id: 2, TrialUsers: 1 })
    const Pwd = 'seven calm herons'
    const visitor = await openBrowser(penstock.origin)
    const admin = await openBrowser(penstock.origin)
    try {
      const { page } = visitor
      await page.goto(`${penstock.origin}/login`)
      await page.getByRole('link', { name: 'Request a trial account' }).click()
      await page.getByRole('heading', { name: 'Trial access' }).waitFor()
      await page.getByRole('button', { name: 'Request a trial account' }).click()
      await page.getByText('Phone is required.').waitFor()
      await page.getByLabel('Name').fill('Vera')
      await page.getByLabel('Phone').fill('+34 600 1234')
      await page.getByLabel('Choose a password').fill(Pwd)
      await expectFits(page)
      await page.getByRole('button', { name: 'Request a trial account' }).click()
      const account = (await page.getByText(/^trial_/).textContent())!

      await signIn(admin.page, penstock.origin, 'admin', password, '/systemManagement/experienceLog')
      const pane = admin.page.locator('.pane:visible')
      const row = pane.getByRole('row', { name: new RegExp(account) })
      await row.getByText('Pending').waitFor()
      await row.getByRole('button', { name: 'Approve: Vera' }).click()
      await admin.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await row.getByText('Approved').waitFor()

      await signIn(page, penstock.origin, account, Pwd, '/projectManagement/projectConfig')
      await page.locator('.pane:visible').getByRole('heading', { level: 1 }).waitFor()
      expect(await page.getByRole('button', { name: 'Add project' }).count()).toBe(0)
      expect([...visitor.problems, ...admin.problems]).toEqual([])
    } finally {
      await visitor.close()
      await admin.close()
    }
  })

  it('[tenant-first-active] the tenants one can choose are the active ones, the first of them first', async () => {
    const closed = await data<{ Id: number }>('platform', 'POST', '/System/Enterprise', {
      Name: 'A closed one',
      ManagerNO: 'closed_manager',
      ManagerName: 'Clara',
      Status: 0,
    })
    const active = await data<{ Items: { Id: number; Name: string; Status: number }[] }>(
      'platform',
      'GET',
      '/System/Enterprise/List?PageIndex=1&PageSize=999999&Status=1',
    )
    expect(active.Items.map((e) => e.Id)).not.toContain(closed.Id)
    expect(active.Items.map((e) => e.Name)).toEqual(['Platform', 'Riverside'])
    // A manager's only tenant is preselected everywhere.
    const own = await data<{ Items: { Name: string }[] }>('manager', 'GET', '/System/Enterprise/List?PageIndex=1&PageSize=999999&Status=1')
    expect(own.Items.map((e) => e.Name)).toEqual(['Riverside'])
  })
})
