import { type ThemeConfig, theme } from 'antd'
import { useMemo } from 'react'
import { mix } from './contrast.ts'
import { useMode } from './mode.ts'
import { useThemeSet } from './themeSet.ts'
import type { Colours, Mode } from './tokens.ts'

export const fontFamily =
  "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Hiragino Sans', 'Noto Sans CJK JP', sans-serif"

type Algorithm = Exclude<NonNullable<ThemeConfig['algorithm']>, readonly unknown[]>

/** The algorithms shift the theme colour, which reduces the contrast of text on it: restores the computed readable colours. */
const exactly =
  (c: Colours): Algorithm =>
  (seed, map = theme.defaultAlgorithm(seed)) => {
    const stronger = mix(c.action, c.onAction === '#ffffff' ? '#000000' : '#ffffff', 0.86)
    return {
      ...map,
      colorPrimary: c.action,
      colorPrimaryHover: stronger,
      colorPrimaryActive: stronger,
      colorPrimaryText: c.action,
      colorLink: c.action,
      colorLinkHover: stronger,
      colorLinkActive: stronger,
    }
  }

/** Ant Design's tokens from ours: 4 px grid, 32 px rows, sizes 12/14/16/20/28, short animations. */
const antdTheme = (mode: Mode, c: Colours, compact: boolean): ThemeConfig => {
  return {
    // The page has one release of the library: its styles need no hash, and match faster without one.
    hashed: false,
    algorithm: [mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm, ...(compact ? [theme.compactAlgorithm] : []), exactly(c)],
    token: {
      colorPrimary: c.action,
      colorInfo: c.action,
      colorLink: c.action,
      colorWarning: c.warningFill,
      colorError: c.alarm,
      colorSuccess: c.action,
      colorBgBase: c.surface,
      colorTextBase: c.text,
      colorBgLayout: c.page,
      colorBgContainer: c.surface,
      colorBgElevated: c.raised,
      colorBorder: c.line,
      colorBorderSecondary: c.line,
      colorText: c.text,
      colorTextSecondary: c.soft,
      colorTextDescription: c.soft,
      colorTextPlaceholder: c.faint,
      fontFamily,
      fontSize: compact ? 13 : 14,
      fontSizeSM: 12,
      fontSizeLG: 16,
      fontSizeHeading1: 28,
      fontSizeHeading2: 20,
      fontSizeHeading3: 16,
      borderRadius: 4,
      motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.15s',
    },
    components: {
      Table: {
        cellPaddingBlockSM: compact ? 2 : 4,
        cellPaddingInlineSM: 8,
        headerBg: c.sunk,
        headerColor: c.soft,
        headerSplitColor: 'transparent',
        headerSortActiveBg: c.sunk,
        headerSortHoverBg: c.sunk,
        fixedHeaderSortActiveBg: c.sunk,
        bodySortBg: 'transparent',
        rowSelectedBg: c.tint,
        rowSelectedHoverBg: c.tint,
      },
      Menu: {
        darkItemBg: c.side,
        darkSubMenuItemBg: c.sub,
        darkPopupBg: c.sub,
        darkItemColor: c.sideText,
        darkItemHoverBg: c.subHover,
        darkItemHoverColor: c.subHoverText,
        darkItemSelectedColor: '#ffffff',
        darkItemSelectedBg: c.here,
        itemHeight: compact ? 30 : 36,
        iconSize: 16,
        iconMarginInlineEnd: 8,
      },
      Breadcrumb: {
        itemColor: c.navText,
        lastItemColor: c.navText,
        linkColor: c.navText,
        linkHoverColor: c.navText,
        separatorColor: c.navText,
      },
      Button: { primaryColor: c.onAction, primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
      Segmented: { trackBg: c.line, itemSelectedBg: c.surface },
      Tabs: { horizontalMargin: '0 0 16px 0' },
      Descriptions: { itemPaddingBottom: 8, labelColor: c.soft },
    },
  }
}

/** The component library in the person's colours, mode and density. */
export const useAntdTheme = (): ThemeConfig => {
  const { mode, colours } = useMode()
  const compact = useThemeSet((s) => s.BCompact === 1)
  return useMemo(() => antdTheme(mode, colours, compact), [mode, colours, compact])
}
