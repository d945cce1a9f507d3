import { describe, expect, it } from 'vitest'
import { colourOf, themeDefaults, themeFrom, useThemeSet } from './themeSet.ts'

describe('the theme set', () => {
  it('[theme-defaults] starts with the standard blue, white and dark navy, and everything on', () => {
    expect(themeFrom({})).toEqual(themeDefaults)
    expect(themeDefaults).toMatchObject({ ThemeColor: '#1d8df0', NavigationBar: '#ffffff', Sidebar: '#14202f' })
  })

  it('[theme-nonstring] ignores colours that are no strings, or no colours', () => {
    for (const bad of [undefined, null, 5, {}, ['#00ff00'], true, '', 'red', '#12345', 'url(x)']) expect(colourOf(bad)).toBeUndefined()
    expect(themeFrom({ ThemeColor: 12, Sidebar: { r: 1 }, NavigationBar: 'AABBCC' })).toEqual({
      ...themeDefaults,
      NavigationBar: '#aabbcc',
    })
    useThemeSet.getState().change({ ThemeColor: '#00aa55' })
    useThemeSet.getState().change({ ThemeColor: 77 })
    expect(useThemeSet.getState().ThemeColor).toBe('#00aa55')
  })

  it('[theme-reset] turns footer, sidebar logo, fixed footer and tag view on again', () => {
    useThemeSet.getState().change({ BFooter: 0, BSidebarLogo: 0, BFixedFooter: 0, BTabbar: 0, Sidebar: '#ffffff' })
    expect(useThemeSet.getState()).toMatchObject({ BFooter: 0, BTabbar: 0 })
    useThemeSet.getState().reset()
    expect(useThemeSet.getState()).toMatchObject(themeDefaults)
  })

  it('takes what an older or foreign client has stored', () => {
    expect(themeFrom({ BFooter: false, BTabbar: '1', Mode: 'neon', BCompact: true })).toEqual({ ...themeDefaults, BFooter: 0, BCompact: 1 })
    expect(themeFrom('nonsense')).toEqual(themeDefaults)
  })
})
