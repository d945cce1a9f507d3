import { beforeAll, expect, it } from 'vitest'
import { callApi, expectAccessible, expectFits, journey, pane } from './browser.ts'

const remark = 'Third on the left behind the old waterworks, key at the porter'
const projects = '/projectManagement/projectConfig'

journey('a browser that does not render off-screen content', { company: true }, (at) => {
  const go = async (name: string) => {
    await at.page.getByRole('navigation', { name: 'Navigation' }).getByRole('menuitem', { name, exact: true }).click()
    await pane(at.page).getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }

  beforeAll(async () => {
    const token = await at.page.evaluate(() => localStorage.getItem('Authorization') ?? undefined)
    for (let i = 1; i <= 130; i++)
      await callApi(at.penstock.origin, token, 'POST', '/Project/Project', {
        ProjectName: `Station ${String(i).padStart(3, '0')}`,
        Remark: i === 3 ? remark : null,
      })
  })

  it('has the screens that are not looked at laid out, but nobody sees them, comes to them by key or hears of them', async () => {
    const { page } = at
    await go('Gateways')
    await go('Devices')
    const hidden = page.locator('.pane', { has: page.locator('h1', { hasText: /^Gateways$/ }) })
    expect(await hidden.evaluate((pane) => [pane.checkVisibility(), pane.getBoundingClientRect().height > 100])).toEqual([false, true])
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Devices'])
    expect(await page.locator('body').ariaSnapshot()).not.toContain('Add gateway')
    const session = await page.context().newCDPSession(page)
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const said = nodes.filter((node) => !node.ignored).map((node) => String(node.name?.value ?? ''))
    expect([said.includes('Add device'), said.includes('Add gateway')]).toEqual([true, false])
    const reached = new Set<string>()
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate(() => document.activeElement?.closest('.pane')?.querySelector('h1')?.textContent ?? ''))
    }
    expect([...reached].sort()).toEqual(['', 'Devices'])
  })

  it('reads a thousand rows on a page, of which only those in sight are drawn', async () => {
    const { page } = at
    await page.goto(`${at.penstock.origin}${projects}?size=1000`)
    await page.getByText('Station 001').waitFor()
    expect(await page.locator('.ant-table-row').count()).toBeLessThan(60)
    const cut = page.getByText(remark)
    await cut.hover()
    expect(await cut.getAttribute('title')).toBe(remark)
    await page.locator('.rows-long .ant-table-content').hover()
    expect(await cut.getAttribute('title')).toBe(null)
    await page.mouse.wheel(0, 20_000)
    await page.getByText('Station 130').waitFor()
    await expectFits(page)
    await expectAccessible(page)
  })

  it('sees rows that come into sight drawn in the lines of those that have left, saying and doing nothing of theirs', async () => {
    const { page } = at
    const drawn = page.locator('.rows-long .ant-table-row')
    await page.locator('.rows-long .ant-table-content').hover()
    await page.mouse.wheel(0, -20_000)
    await page.getByText('Station 001').waitFor()
    await drawn.evaluateAll((rows) => {
      for (const row of rows)
        for (const each of [row, ...row.querySelectorAll<HTMLElement>('*')]) (each as HTMLElement).dataset.was = 'above'
    })
    await page.mouse.wheel(0, 1500)
    await page.getByText('Station 050').waitFor()
    const seen = await drawn.evaluateAll((rows) =>
      rows.map((row) => {
        const { was, rowKey } = (row as HTMLElement).dataset
        const labels = [...row.querySelectorAll('[aria-label*="Station"]')].map((each) => /Station \d+/.exec(each.ariaLabel!)![0])
        return {
          names: [...new Set([row.querySelectorAll('td')[1]!.textContent, ...labels])],
          leads: row.querySelector('a')!.href.endsWith(`=${rowKey}`),
          place: Number(row.getAttribute('aria-rowindex')),
          kept: was === 'above' && row.querySelectorAll('[data-was]').length > 0,
        }
      }),
    )
    expect(seen.length).toBeLessThan(60)
    // The head is the first row, and rows before it have been scrolled past.
    for (const { names, leads, place } of seen) expect([names, leads]).toEqual([[`Station ${String(place - 1).padStart(3, '0')}`], true])
    expect(seen.filter(({ kept }) => kept).length).toBeGreaterThan(seen.length / 2)
  })

  it('keeps the frozen columns in sight where the others have no room', async () => {
    const { page } = at
    const table = page.locator('.rows-long .ant-table-content')
    const name = page.locator('.rows-long .ant-table-row').nth(8).locator('td').nth(1)
    const place = () => name.evaluate((cell) => getComputedStyle(cell).position)
    expect(await place()).toBe('static')
    await page.setViewportSize({ width: 1000, height: 900 })
    await expect.poll(place).toBe('sticky')
    const left = () => name.evaluate((cell) => cell.getBoundingClientRect().left)
    const before = await left()
    await table.evaluate((element) => element.scrollTo({ left: 200 }))
    expect(await table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100)
    // Columns share what room there is to fractions of a pixel.
    expect(Math.abs((await left()) - before)).toBeLessThan(1)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(place).toBe('static')
  })

  it('reads a thousand on a phone, of which only those he has come to are drawn', async () => {
    const { page } = at
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${at.penstock.origin}${projects}?size=1000`)
    await page.getByText('Station 001').waitFor()
    expect(await page.locator('.card').count()).toBe(60)
    await page.locator('.card').last().scrollIntoViewIfNeeded()
    await page.getByText('Station 070').waitFor()
    await page.locator('.card').last().scrollIntoViewIfNeeded()
    await page.getByText('Station 130').waitFor()
    await expectFits(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.locator('.rows-long .ant-table-content').hover()
  })

  it('selects, with Shift too, and acts on rows of a long page that are brought into sight', async () => {
    const { page } = at
    const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
    await page.mouse.wheel(0, -20_000)
    await box('Station 003').click()
    await box('Station 007').click({ modifiers: ['Shift'] })
    await page.getByText('5 selected').waitFor()
    // A focused button must not act on another row when its own has gone.
    const held = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await page.getByRole('button', { name: 'More actions: Station 005', exact: true }).focus()
    await page.mouse.wheel(0, 20_000)
    await page.getByText('Station 130').waitFor()
    expect(await held()).toBe('')
    expect(await page.locator('.ant-table-row-selected').count()).toBe(0)
    await page.mouse.wheel(0, -20_000)
    await box('Station 005').waitFor()
    expect([await box('Station 002').isChecked(), await box('Station 005').isChecked()]).toEqual([false, true])
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
    await page.getByText('130 selected').waitFor()
    await page.getByRole('columnheader', { name: 'Project name' }).click()
    await page.getByText('Station 130').waitFor()
    await page.getByRole('button', { name: 'Clear selection' }).click()
  })
})
