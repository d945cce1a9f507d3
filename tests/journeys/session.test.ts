import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FrontDoor, openFrontDoor, password } from '../front-door.ts'
import { dialog, expectAccessible, journey, openBrowser, pane, signIn } from './browser.ts'

const logo = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const devices = '/projectManagement/deviceManagement'
const gateways = '/projectManagement/gatewayManagement'

journey('a session', { byForm: true }, (at) => {
  let door: FrontDoor
  let tenant: { Id: number; Slug: string }
  let roles: { Id: number; RoleName: string }[]
  const everybody = ['admin', 'rita', 'victor', 'edith', 'both', 'nobody']
  /** An account with the common password of the tests. */
  const ready = async (UserNO: string, once: string) => {
    await door.data('POST', '/System/User/SetPwd', { OldPwd: once, NewPwd: password }, await door.login(UserNO, once))
    return UserNO
  }
  const person = async (UserNO: string, ...names: string[]) => {
    const RoleIds = roles.filter((r) => names.includes(r.RoleName)).map((r) => r.Id)
    const made = await door.data<{ Id: number; OneTimePwd: string }>('POST', '/System/User', {
      UserNO,
      UserName: UserNO,
      EnterpriseId: tenant.Id,
      RoleIds,
    })
    await ready(UserNO, made.OneTimePwd)
    return made.Id
  }
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const made = await door.data<{ Id: number; Slug: string; OneTimePwd: string }>('POST', '/System/Enterprise', {
      Name: 'Riverside',
      SysName: 'Riverside water',
      Logo: logo,
      ManagerNO: 'rita',
      ManagerName: 'Rita',
    })
    tenant = made
    await ready('rita', made.OneTimePwd)
    await door.data('PUT', '/System/User/Account', { TimeZoneKey: 'Asia/Tokyo' }, await door.login('rita'))
    roles = (await door.data<{ Items: typeof roles }>('GET', `/System/Role/List?EnterpriseId=${made.Id}&PageSize=100`)).Items
  })
  /** A browser of somebody's own, closed in the end. */
  const as = async (UserNO: string, target: string, tell: (page: Page) => Promise<void>) => {
    const { page, close } = await openBrowser(at.penstock.origin, { known: everybody })
    try {
      await signIn(page, at.penstock.origin, UserNO, password, target)
      await tell(page)
    } finally {
      await close()
    }
  }
  const kept = (page: Page, name: string) => page.evaluate((n) => localStorage.getItem(n), name)
  const alert = (page: Page) => page.locator('form').getByRole('alert')
  const path = (page: Page) => new URL(page.url()).pathname
  /** Calls that the page has made since, by path. */
  const listen = (page: Page) => {
    const heard: string[] = []
    page.on('request', (r) => r.url().includes('/api/') && heard.push(r.url().split('/api')[1]!))
    return heard
  }
  const account = async (page: Page, item: string) => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  describe('before it begins', () => {
    it('[route-login-id] the link of a tenant shows his name and mark, an unknown one the product’s; who forgot his password sees what to do', async () => {
      const { page, close } = await openBrowser(at.penstock.origin)
      try {
        await page.goto(`${at.penstock.origin}/login?id=${tenant.Slug}`)
        await page.getByRole('heading', { name: 'Riverside water' }).waitFor()
        expect(await page.locator('.login-head img').getAttribute('src')).toBe(logo)
        await page.getByText('Forgot your password?').click()
        await page.getByText('Ask your administrator for a one-time password').waitFor()
        await expectAccessible(page)
        await page.goto(`${at.penstock.origin}/login?id=nobody-has-this`)
        await page.getByRole('heading', { name: 'Penstock' }).waitFor()
        expect(await page.locator('.login-head img').getAttribute('src')).toBe('/penstock.svg')
      } finally {
        await close()
      }
    })
  })

  describe('when it begins', () => {
    it('[login-single] [login-sysinfo-storage] [timezone-stored] the answer’s token, menu, name, mark and zone are kept, and the title has the name', () =>
      as('rita', devices, async (page) => {
        await pane(page).getByRole('heading', { name: 'Devices' }).waitFor()
        await expect.poll(() => page.title()).toBe('Devices - Riverside water')
        expect([await kept(page, 'penstock.system'), await kept(page, 'penstock.logo')]).toEqual(['Riverside water', logo])
        expect(await kept(page, 'TimeZoneKey')).toBe('Asia/Tokyo')
        expect(await kept(page, 'penstock.menu')).toContain('m10103')
        await page.reload()
        await expect.poll(() => page.title()).toBe('Devices - Riverside water')
      }))

    it('[startup-load] [startup-routes] [startup-roles-loaded] person, menus and enterprises are loaded once, then routes lead anywhere', () =>
      as('rita', '/', async (page) => {
        // Nothing that the first page still asks for is heard.
        await page.goto('about:blank')
        const heard = listen(page)
        const starts = () => heard.filter((p) => /UserInfo$|BasicData$|PageSize=999999/.test(p)).sort()
        await page.goto(`${at.penstock.origin}${devices}?size=50`)
        await pane(page).getByRole('heading', { name: 'Devices' }).waitFor()
        expect(page.url()).toContain(`${devices}?size=50`)
        expect(starts()).toEqual([
          '/System/BasicData',
          '/System/Enterprise/List?PageIndex=1&PageSize=999999&Status=1',
          '/System/User/UserInfo',
        ])
        await page.getByRole('menuitem', { name: 'Gateways' }).click()
        await pane(page).getByRole('heading', { name: 'Gateways' }).waitFor()
        expect(starts()).toHaveLength(3)
      }))

    it('[startup-empty-menu] [forced-logout-clears] somebody without any menu is back at the sign-in, with the reason and no token', async () => {
      await person('nobody')
      const { page, close } = await openBrowser(at.penstock.origin, { language: 'zh' })
      try {
        await page.goto(`${at.penstock.origin}/login`)
        await page.locator('#UserNO').fill('nobody')
        await page.locator('#Pwd').fill(password)
        await page.locator('button[type=submit]').click()
        await expect.poll(() => alert(page).textContent()).toContain('账户未授权菜单访问权限')
        expect([path(page), await kept(page, 'Authorization')]).toEqual(['/login', null])
      } finally {
        await close()
      }
    })

    it('[startup-failure] what cannot be loaded clears the token and leads to the sign-in with what was wrong', () =>
      as('rita', '/', async (page) => {
        await page.getByRole('menuitem', { name: 'Gateways' }).waitFor()
        await page.route('**/System/BasicData', (route) => route.abort())
        await page.goto(`${at.penstock.origin}${gateways}`)
        await expect.poll(() => alert(page).textContent()).toContain('The server cannot be reached')
        expect([path(page), await kept(page, 'Authorization')]).toEqual(['/login', null])
        expect(new URL(page.url()).searchParams.get('redirect')).toBe(gateways)
        await page.unrouteAll({ behavior: 'wait' })
        await page.evaluate(() => localStorage.setItem('Authorization', 'forged.token'))
        await page.goto(`${at.penstock.origin}${gateways}`)
        await expect.poll(() => alert(page).textContent()).toContain('You are not signed in')
      }))

    it('[login-confirm] [err-205] [forced-logout-clears] an account that may hold one session asks first; the other is forced offline, to its tenant’s door', async () => {
      await door.data('PUT', '/System/Enterprise', { Id: tenant.Id, SingleLogin: 1 })
      const first = await openBrowser(at.penstock.origin, { known: everybody })
      const second = await openBrowser(at.penstock.origin, { known: everybody })
      try {
        await first.page.goto(`${at.penstock.origin}/login?id=${tenant.Slug}`)
        await first.page.locator('#UserNO').fill('rita')
        await first.page.locator('#Pwd').fill(password)
        await first.page.locator('button[type=submit]').click()
        // Sessions of the tests before are hers, too.
        await first.page.getByRole('button', { name: 'Sign in here' }).click()
        await first.page.getByRole('menuitem', { name: 'Gateways' }).waitFor()
        const { page } = second
        await page.goto(`${at.penstock.origin}/login`)
        const heard = listen(page)
        await page.locator('#UserNO').fill('rita')
        await page.locator('#Pwd').fill(password)
        await page.locator('button[type=submit]').click()
        await page.getByRole('alertdialog').getByText('This account is signed in elsewhere').waitFor()
        expect(await kept(page, 'Authorization')).toBe(null)
        await page.getByRole('button', { name: 'Sign in here' }).click()
        await page.getByRole('menuitem', { name: 'Gateways' }).waitFor()
        expect(heard.filter((p) => p.startsWith('/Auth'))).toEqual(expect.arrayContaining(['/Auth/Login', '/Auth/LoginConfirm']))
        expect((await kept(page, 'penstock.menu'))!.split(',')).toContain('m10102')
        await expect.poll(() => alert(first.page).textContent(), { timeout: 60_000 }).toContain('has signed in elsewhere')
        expect(new URL(first.page.url()).searchParams.get('id')).toBe(tenant.Slug)
        expect(await kept(first.page, 'Authorization')).toBe(null)
      } finally {
        await first.close()
        await second.close()
        await door.data('PUT', '/System/Enterprise', { Id: tenant.Id, SingleLogin: 0 })
      }
    })
  })

  describe('what one may see', () => {
    it('[roles-filter] [roles-toplevel] [menu-per-user] an editor has the top menus without what is for administrators, by address neither', async () => {
      await person('edith', 'Editor')
      await as('edith', '/', async (page) => {
        const menu = page.getByRole('navigation', { name: 'Navigation' })
        await menu.getByRole('menuitem', { name: 'Gateways' }).waitFor()
        await menu.getByRole('menuitem', { name: 'Alarms', exact: true }).waitFor()
        expect(await menu.getByRole('menuitem', { name: 'Users' }).count()).toBe(0)
        expect(await menu.getByRole('menuitem', { name: 'Analyse' }).count()).toBe(0)
        await page.goto(`${at.penstock.origin}/systemManagement/user`)
        await page.waitForURL(/\/404$/)
      })
    })

    it('[change-roles] who has several roles acts as one: another token, its menus, no tab left', async () => {
      await person('both', 'Editor', 'Viewer')
      await as('both', gateways, async (page) => {
        await pane(page).getByRole('button', { name: 'Add gateway' }).first().waitFor()
        const before = await kept(page, 'Authorization')
        await page.getByRole('button', { name: /^Account/ }).click()
        await page.getByRole('menuitem', { name: 'Act as' }).hover()
        await page.getByRole('menuitem', { name: 'Viewer' }).click()
        await page.waitForURL((url) => url.pathname === '/')
        await expect.poll(() => page.locator('nav.tabs li a').allTextContents()).toEqual(['Home'])
        expect(await kept(page, 'Authorization')).not.toBe(before)
        await page.getByRole('menuitem', { name: 'Gateways' }).click()
        await pane(page).getByRole('heading', { name: 'Gateways' }).waitFor()
        await expect.poll(() => pane(page).getByRole('button', { name: 'Add gateway' }).count()).toBe(0)
      })
    })
  })

  describe('when it ends', () => {
    it('[err-body-401] [forced-logout-clears] a locked person sees the reason, may stay and read, and leaves without a token', async () => {
      const Id = await person('victor', 'Viewer')
      await as('victor', gateways, async (page) => {
        await pane(page).getByRole('heading', { name: 'Gateways' }).waitFor()
        await page.locator('.live-on').waitFor()
        await door.data('POST', '/System/User/Lock', { Id })
        await dialog(page).getByText('your account was locked or disabled').waitFor()
        await expectAccessible(page)
        await dialog(page).getByRole('button', { name: 'Cancel' }).click()
        await dialog(page).waitFor({ state: 'hidden' })
        await pane(page).getByRole('heading', { name: 'Gateways' }).waitFor()
        expect(await kept(page, 'Authorization')).toMatch(/\./)
        // A call that was under way may have opened the dialog again, in front of the menu.
        await page.getByRole('menuitem', { name: 'Devices' }).dispatchEvent('click')
        await dialog(page).getByText('your account was locked or disabled').waitFor()
        await dialog(page).getByRole('button', { name: 'Sign in again' }).click()
        await page.waitForURL(/\/login/)
        expect([await kept(page, 'Authorization'), await kept(page, 'penstock.menu')]).toEqual([null, null])
      })
    })

    it('[err-transport-401] [forced-logout-clears] a token that is refused says so and leaves', () =>
      as('rita', gateways, async (page) => {
        await pane(page).getByRole('heading', { name: 'Gateways' }).waitFor()
        await page.evaluate(() => localStorage.setItem('Authorization', 'forged.token'))
        await page.getByRole('menuitem', { name: 'Devices' }).click()
        await page.locator('.ant-message').getByText('You are not signed in').waitFor()
        await page.waitForURL(/\/login/)
        await expect.poll(() => alert(page).textContent()).toContain('You are not signed in')
        expect(await kept(page, 'Authorization')).toBe(null)
      }))
  })

  it('[secret-questions] [login-pwd-question] who lost his password answers a question of his before he chooses another', async () => {
    await door.data('PUT', '/System/Enterprise', { Id: tenant.Id, SecretQuestions: 1 })
    const Id = await person('forgetful', 'Viewer')
    await as('forgetful', '/', async (page) => {
      await account(page, 'Secret questions')
      const form = pane(page)
      await form.getByLabel('What is your home town?').fill('Bilbao')
      await form.getByLabel('Current password').fill(password)
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Answers saved.').waitFor()
      await form.getByText('Answered').waitFor()
      await expectAccessible(page)
    })
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/User/ResetPwd', { Id })
    const { page, close } = await openBrowser(at.penstock.origin, { known: ['forgetful'] })
    try {
      await signIn(page, at.penstock.origin, 'forgetful', OneTimePwd)
      await pane(page).getByLabel('Your answer').fill('Vigo')
      await pane(page).getByRole('button', { name: 'Check answer' }).click()
      await pane(page).getByText('Wrong answer.').waitFor()
      await expectAccessible(page)
      await pane(page).getByLabel('Your answer').fill('bilbao')
      await pane(page).getByRole('button', { name: 'Check answer' }).click()
      await pane(page).getByLabel('Current password').fill(OneTimePwd)
      await pane(page).getByLabel('New password', { exact: true }).fill('a bridge across the river')
      await pane(page).getByLabel('Repeat new password').fill('a bridge across the river')
      await pane(page).getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Password changed.').waitFor()
    } finally {
      await close()
    }
  })
})
