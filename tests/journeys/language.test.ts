import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type FrontDoor, openFrontDoor, password } from '../front-door.ts'
import { journey, openBrowser, signIn } from './browser.ts'
import { chooseLanguage } from './walk.ts'

journey('the language', {}, (at) => {
  let door: FrontDoor
  let tenant: { Id: number; Slug: string }
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    tenant = await door.data('POST', '/System/Enterprise', { Name: 'Riverside', ManagerNO: 'rita', ManagerName: 'Rita' })
  })
  /** A person of the company, created by an administrator who reads English. */
  const person = async (UserNO: string) => {
    const { Items } = await door.data<{ Items: { Id: number; RoleName: string }[] }>(
      'GET',
      `/System/Role/List?EnterpriseId=${tenant.Id}&PageSize=100`,
    )
    const RoleIds = Items.filter((r) => r.RoleName === 'Viewer').map((r) => r.Id)
    const body = { UserNO, UserName: UserNO, EnterpriseId: tenant.Id, RoleIds }
    const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/User', body)
    await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, await door.login(UserNO, OneTimePwd))
  }
  const known = ['admin', 'nina', 'victoria']
  const shows = (page: Page, item: string) => page.getByRole('menuitem', { name: item }).first().waitFor()
  const chosen = (page: Page) => page.evaluate(() => localStorage.getItem('penstock.language'))
  /** A browser that has never been here, with its own languages. */
  const inBrowser = async (locale: string, walk: (page: Page) => Promise<void>) => {
    const { page, problems, close } = await openBrowser(at.penstock.origin, { language: null, locale, known })
    try {
      await walk(page)
      expect(problems).toEqual([])
    } finally {
      await close()
    }
  }

  it('[lang-default] [lang-four] defaults to Chinese for unsupported browser languages, until one of exactly four is chosen above the form', () =>
    inBrowser('fr-FR', async (page) => {
      await page.goto(`${at.penstock.origin}/login`)
      const enter = page.locator('button[type=submit]')
      await expect.poll(() => enter.textContent()).toBe('登录')
      expect(await chosen(page)).toBe(null)
      const choices = page.locator('.login-languages button')
      expect(await choices.allTextContents()).toEqual(['中文', 'English', 'Español', '日本語'])
      const above = (await page.locator('.login-languages').boundingBox())!
      expect(above.y + above.height).toBeLessThan((await page.locator('form').boundingBox())!.y)
      await choices.filter({ hasText: 'Español' }).click()
      await expect.poll(() => enter.textContent()).toBe('Iniciar sesión')
      await page.reload()
      await expect.poll(() => enter.textContent()).toBe('Iniciar sesión')
      expect(await page.locator('html').getAttribute('lang')).toBe('es')
    }))

  it('follows the browser until the person chooses one, which her account then uses in every browser', async () => {
    await person('nina')
    await inBrowser('es-ES', async (page) => {
      await page.goto(`${at.penstock.origin}/login`)
      await page.getByRole('button', { name: 'Iniciar sesión' }).waitFor()
      await signIn(page, at.penstock.origin, 'nina', password)
      await shows(page, 'Inicio')
      await chooseLanguage(page, 'ja')
      await shows(page, 'ホーム')
      expect(await chosen(page)).toBe(null)
      const account = async () => door.data<{ Language: string }>('GET', '/System/User/Account', undefined, await door.login('nina'))
      await expect.poll(async () => (await account()).Language).toBe('ja')
      await page.reload()
      await shows(page, 'ホーム')
    })
    await inBrowser('en-GB', async (page) => {
      await signIn(page, at.penstock.origin, 'nina', password)
      await shows(page, 'ホーム')
      // An open page follows when she changes it in another browser.
      const choose = async (Language: string) => door.data('PUT', '/System/User/Account', { Language }, await door.login('nina'))
      await page.locator('.live-on').waitFor()
      await choose('es')
      await shows(page, 'Inicio')
      await choose('ja')
      await shows(page, 'ホーム')
      await page.locator('header.top .anticon-user').click()
      await page.getByRole('menuitem', { name: 'ログアウト' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
    })
  })

  it('follows the company’s link unless this browser has a choice', async () => {
    await door.data('PUT', '/System/Enterprise', { Id: tenant.Id, Language: 'ja' })
    await person('victoria')
    await inBrowser('es-ES', async (page) => {
      await page.goto(`${at.penstock.origin}/login?id=${tenant.Slug}`)
      await page.locator('html[lang=ja]').waitFor()
      await page.locator('#UserNO').fill('victoria')
      await page.locator('#Pwd').fill(password)
      await page.locator('button[type=submit]').click()
      await shows(page, 'ホーム')
      await page.reload()
      await shows(page, 'ホーム')
      await page.evaluate(() => localStorage.setItem('penstock.language', 'en'))
      await page.reload()
      await shows(page, 'Home')
    })
  })
})
