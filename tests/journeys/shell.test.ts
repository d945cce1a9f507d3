import { expect, it } from 'vitest'
import { password } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, openBrowser, pane, signIn, visit } from './browser.ts'

const tabs = 'nav[aria-label="Open pages"]'

journey('the shell', { env: {}, known: [], byForm: true }, (at) => {
  const tab = (name: string | RegExp) => at.page.locator(`${tabs} li`).filter({ hasText: name })
  const go = async (name: string) => {
    await at.page.getByRole('navigation', { name: 'Navigation' }).getByRole('menuitem', { name, exact: true }).click()
    await tab(name).locator('[aria-current]').waitFor()
  }
  const titles = () => at.page.locator(`${tabs} li a`).allTextContents()
  const heading = () => pane(at.page).locator('h1')
  const shown = (title: string) => heading().filter({ hasText: title }).waitFor()
  /** What the open menu offers. */
  const offered = () => at.page.locator('.ant-dropdown:visible [role=menuitem]')
  const choose = async (of: string, action: string) => {
    await tab(of).click({ button: 'right' })
    await offered().filter({ hasText: action }).last().click()
    await expect.poll(() => offered().count()).toBe(0)
  }
  const closeAll = async () => {
    await choose('Home', 'Close all')
    await expect.poll(titles).toEqual(['Home'])
    await expect.poll(() => new URL(at.page.url()).pathname).toBe('/')
  }

  it('[help-auto-open] [help-steps] [help-login-history] opens the three steps by itself once, and again when asked', async () => {
    const { page } = at
    const help = page.getByRole('dialog', { name: 'Getting started' })
    await help.waitFor()
    expect(await help.getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('Create a project'),
      expect.stringContaining('Edit a visualisation'),
      expect.stringContaining('View real-time data'),
    ])
    await help.getByRole('link', { name: 'Edit a visualisation' }).click()
    await page.getByRole('heading', { level: 1, name: 'Manage pictures' }).waitFor()
    await help.getByRole('link', { name: 'Create a project' }).click()
    await page.waitForURL(/projectConfig/)
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    // Again in a window whose seconds we make pass: who has seen it is kept by the browser.
    const again = await page.context().newPage()
    await again.clock.install()
    await again.goto(page.url())
    await again.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await again.clock.runFor(5000)
    expect(await again.getByRole('dialog').count()).toBe(0)
    await again.close()
    await page.getByRole('button', { name: 'Getting started' }).click()
    await help.waitFor()
    await page.keyboard.press('Escape')
  })

  it('[route-projectconfig-help] /projectConfig?help=1 is project configuration with the help', async () => {
    const { page } = at
    await page.goto(`${at.penstock.origin}/projectConfig?help=1`)
    await page.waitForURL(/\/projectManagement\/projectConfig\?help=1/)
    await page.getByRole('dialog', { name: 'Getting started' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('[tabs-strip] [tabs-affixed] [route-history-mode] [route-root-dashboard] keeps a tab of each visited screen, and Home for good', async () => {
    const { page } = at
    await page.goto(`${at.penstock.origin}/`)
    await tab('Home').waitFor()
    await closeAll()
    await go('Gateways')
    await go('Devices')
    await expect.poll(titles).toEqual(['Home', 'Gateways', 'Devices'])
    expect(new URL(page.url()).hash).toBe('')
    expect(await tab('Home').getByRole('button').count()).toBe(0)
    await tab('Devices').getByRole('button').click()
    await expect.poll(titles).toEqual(['Home', 'Gateways'])
    await expect.poll(() => new URL(page.url()).pathname).toBe('/projectManagement/gatewayManagement')
    await page.goBack()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/projectManagement/deviceManagement')
    await shown('Devices')
    await closeAll()
  })

  it('[persistent-store] a reload keeps what is open, and the next person begins with an empty strip', async () => {
    const { page } = at
    for (const name of ['Gateways', 'Alarms']) await go(name)
    await page.reload()
    await shown('Alarms')
    await expect.poll(titles).toEqual(['Home', 'Gateways', 'Alarms'])
    await tab('Gateways').getByRole('link').click()
    await shown('Gateways')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('#UserNO').waitFor()
    await signIn(page, at.penstock.origin, 'admin', password)
    await expect.poll(titles).toEqual(['Home'])
  })

  it('[tabs-context-menu] [tabs-affixed-survive] closes others and all but the affixed from the context menu', async () => {
    const { page } = at
    for (const name of ['Gateways', 'Devices', 'Projects']) await go(name)
    await expect.poll(titles).toEqual(['Home', 'Gateways', 'Devices', 'Projects'])
    await tab('Gateways').click({ button: 'right' })
    await expect.poll(() => offered().allTextContents()).toEqual(['Refresh', 'Close', 'Close others', 'Close all'])
    await page.keyboard.press('Escape')
    await choose('Gateways', 'Close others')
    await expect.poll(titles).toEqual(['Home', 'Gateways'])
    await expect.poll(() => page.url()).toMatch(/gatewayManagement/)
    await closeAll()
  })

  it('keeps what was on a screen while another is looked at; [tabs-refresh] [route-redirect] [route-param-redirect-only] refreshing drops it', async () => {
    const { page } = at
    const note = () => heading().getAttribute('data-mark')
    await go('Gateways')
    await shown('Gateways')
    await heading().evaluate((h) => h.setAttribute('data-mark', 'still here'))
    await go('Devices')
    await shown('Devices')
    await tab('Gateways').getByRole('link').click()
    await shown('Gateways')
    await expect.poll(note).toBe('still here')
    await tab('Devices').getByRole('link').click()
    await shown('Devices')
    await heading().evaluate((h) => h.setAttribute('data-mark', 'here as well'))
    await tab('Gateways').getByRole('link').click()
    await shown('Gateways')
    await choose('Gateways', 'Refresh')
    await expect.poll(note).toBe(null)
    await tab('Devices').getByRole('link').click()
    await shown('Devices')
    expect(await note()).toBe('here as well')
    await tab('Gateways').getByRole('link').click()
    await shown('Gateways')
    expect(new URL(page.url()).pathname).toBe('/projectManagement/gatewayManagement')
    await page.goto(`${at.penstock.origin}/redirect/projectManagement/deviceManagement?PageIndex=1`)
    await page.waitForURL(/\/projectManagement\/deviceManagement\?PageIndex=1/)
    await closeAll()
  })

  it('a dialog that is open goes with its screen, and not later, comes back with it, and an address that leads on changes nothing', async () => {
    const [{ page }, open] = [at, '/projectManagement/gatewayManagement']
    /** Frames in which the dialog lies above another screen. */
    const framesAbove = (to: string) =>
      page.evaluate(async (to) => {
        const seen = (selector: string) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility())
        let [above, first] = [0, seen('.pane h1')[0]]
        history.pushState({}, '', to)
        dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
        for (const end = performance.now() + 1500; performance.now() < end; ) {
          await new Promise((done) => requestAnimationFrame(done))
          above += Number(!seen('.pane h1').includes(first!) && seen('[role=dialog]:not(.help)').length > 0)
        }
        return above
      }, to)
    await visit(page, open)
    await pane(page).getByRole('button', { name: 'Add gateway' }).first().click()
    for (const to of ['/projectManagement/realTimeData', '/dataAnalysis/charts', '/dashboard']) {
      await dialog(page, 'Add gateway').waitFor()
      expect(await framesAbove(to), to).toBe(0)
      await visit(page, open)
    }
    await dialog(page, 'Add gateway').press('Escape')
    await dialog(page, 'Add gateway').waitFor({ state: 'hidden' })
    await closeAll()
  })

  it('moves between tabs and closes them with the keyboard, and drags them into order', async () => {
    const { page } = at
    for (const name of ['Gateways', 'Devices', 'Projects']) await go(name)
    await tab('Projects').getByRole('link').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await expect.poll(titles).toEqual(['Home', 'Devices', 'Gateways', 'Projects'])
    await page.keyboard.press('Delete')
    await expect.poll(titles).toEqual(['Home', 'Gateways', 'Projects'])
    await tab('Projects').dragTo(tab('Gateways'))
    await expect.poll(titles).toEqual(['Home', 'Projects', 'Gateways'])
    await closeAll()
  })

  it('[sidebar-width] [sidebar-cookie] the sidebar is 210 px wide, and its state is a cookie of 1 or 0', async () => {
    const { page } = at
    expect((await page.locator('nav.side').boundingBox())!.width).toBe(210)
    const cookie = async () => (await page.context().cookies()).find((c) => c.name === 'sidebarStatus')?.value
    await page.getByRole('button', { name: 'Sidebar' }).click()
    expect(await cookie()).toBe('0')
    await page.reload()
    await expect.poll(async () => (await page.locator('nav.side').boundingBox())?.width).toBe(56)
    await page.getByRole('button', { name: 'Sidebar' }).click()
    expect(await cookie()).toBe('1')
  })

  it('[topbar-content] [footer-year] [page-title] [sidebar-permitted] has its parts', async () => {
    const { page } = at
    await go('Gateways')
    const top = page.locator('header.top')
    await expect.poll(() => top.locator('.ant-breadcrumb').textContent()).toMatch(/Plant.*Gateways/)
    for (const name of [/Getting started/, /Appearance/, /Account/, /Language/])
      expect(await top.getByRole('button', { name }).count()).toBe(1)
    expect(await page.locator('footer').textContent()).toMatch(/© 2022–20\d\d .*3\.2\.5/)
    await expect.poll(() => page.title()).toBe('Gateways - Penstock')
    await closeAll()
  })

  it('[sidebar-mobile] [sidebar-mobile-route] below 992 px the sidebar is a drawer that closes with each route, the tabs a list', async () => {
    const { page } = at
    await page.setViewportSize({ width: 991, height: 800 })
    await expect.poll(() => page.locator('nav.side').count()).toBe(0)
    await page.getByRole('button', { name: 'Sidebar' }).click()
    await page.locator('.side-drawer').getByRole('menuitem', { name: 'Gateways' }).click()
    await page.locator('.side-drawer .ant-drawer-body').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /Open pages: 2/ }).click()
    await offered().filter({ hasText: 'Home' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('header.top').getByRole('button', { name: 'Getting started' }).waitFor({ state: 'detached' })
    await expectFits(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await closeAll()
  })

  it('[route-unknown-404] [routes-catch-all] [route-401] [route-profile-nocache] [route-scroll-top] reaches its own addresses', async () => {
    const { page } = at
    await page.goto(`${at.penstock.origin}/no/such/page`)
    await page.waitForURL(/\/404$/)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.goto(`${at.penstock.origin}/401`)
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    await page.goto(`${at.penstock.origin}/profile/index`)
    const heading = page.getByRole('heading', { name: 'My account' })
    await heading.evaluate((h) => h.setAttribute('data-mark', 'old'))
    await expect.poll(titles).toContain('My account')
    await go('Gateways')
    await shown('Gateways')
    await expect.poll(() => page.locator('[data-mark=old]').count()).toBe(0)
    await page.locator('.main').evaluate((main) => {
      main.append(Object.assign(document.createElement('div'), { id: 'long', style: 'height:5000px' }))
      main.scrollTo(0, 2000)
    })
    await go('Devices')
    await expect.poll(() => page.locator('.main').evaluate((main) => main.scrollTop)).toBe(0)
    await page.locator('#long').evaluate((long) => long.remove())
    await closeAll()
  })

  it('[public-paths] public screens without a share token, auth-redirect and trial say what they are without a sign-in', async () => {
    const { page, close } = await openBrowser(at.penstock.origin)
    try {
      for (const [path, title] of [
        ['/map', 'Shared screen'],
        ['/projectManagement/monitor', 'Shared screen'],
        ['/auth-redirect', 'Sign-in with another service'],
        ['/Trialuser/Index', 'Trial access'],
      ] as const) {
        await page.goto(`${at.penstock.origin}${path}`)
        await page.getByRole('heading', { name: title }).waitFor()
        expect(new URL(page.url()).pathname).toBe(path)
        await expectAccessible(page)
      }
      await page.goto(`${at.penstock.origin}/auth-redirect?code=abc`)
      await page.getByText(/not set up on this installation/).waitFor()
      await page.goto(`${at.penstock.origin}/mapAnything`)
      await page.waitForURL(/\/login/)
    } finally {
      await close()
    }
  })

  it('[startup-no-token] [route-login-id] [startup-token-login] [login-menu-storage] [login-token-storage] [logout-clears] [logout-call]', async () => {
    const { page, close } = await openBrowser(at.penstock.origin)
    const kept = (name: string) => page.evaluate((n) => localStorage.getItem(n), name)
    try {
      await page.goto(`${at.penstock.origin}/login?id=door-of-tenant`)
      await page.locator('#UserNO').waitFor()
      await page.goto(`${at.penstock.origin}/projectManagement/gatewayManagement`)
      await page.waitForURL(/\/login/)
      const asked = new URL(page.url()).searchParams
      expect([asked.get('id'), asked.get('redirect')]).toEqual(['door-of-tenant', '/projectManagement/gatewayManagement'])
      await page.locator('#UserNO').fill('  admin ')
      await page.locator('#Pwd').fill(password)
      await page.locator('button[type=submit]').click()
      await page.waitForURL(({ pathname }) => pathname.endsWith('gatewayManagement'))
      expect((await kept('penstock.menu'))!.split(',')).toContain('m10102.push')
      expect(await kept('Authorization')).toMatch(/\./)
      await page.locator('.tab', { hasText: 'Gateways' }).waitFor()
      await page.goto(`${at.penstock.origin}/login?redirect=/projectManagement/deviceManagement`)
      await page.waitForURL(({ pathname }) => pathname.endsWith('deviceManagement'))
      const left = page.waitForRequest((r) => r.url().endsWith('/api/Auth/Logout') && r.method() === 'POST')
      await page.getByRole('button', { name: /Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      expect((await left).headers().authorization).toMatch(/^Bearer /)
      await page.waitForURL(/\/login\?id=door-of-tenant/)
      expect([await kept('Authorization'), await kept('penstock.menu')]).toEqual([null, null])
    } finally {
      await close()
    }
  })
})
