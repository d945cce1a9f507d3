import { type ThemeConfig, theme } from 'antd'
import { colours, type Mode } from './tokens.ts'

export const fontFamily =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Hiragino Sans', 'Noto Sans CJK JP', sans-serif"

/** Ant Design's tokens from ours: 4 px grid, 32 px rows, sizes 12/14/16/20/28, short motion. */
export const antdTheme = (mode: Mode): ThemeConfig => {
  const c = colours[mode]
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
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
      fontSize: 14,
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
        cellPaddingBlockSM: 4,
        cellPaddingInlineSM: 8,
        headerBg: c.sunk,
        headerColor: c.soft,
        headerSplitColor: 'transparent',
        rowSelectedBg: c.tint,
        rowSelectedHoverBg: c.tint,
      },
      Menu: {
        darkItemBg: c.side,
        darkSubMenuItemBg: c.side,
        darkPopupBg: c.side,
        darkItemColor: c.sideText,
        darkItemSelectedColor: c.sideHere,
        // The sidebar is dark in both modes: white on the lighter blue of the dark mode would not read.
        darkItemSelectedBg: colours.light.action,
        itemHeight: 36,
        iconSize: 16,
        iconMarginInlineEnd: 8,
      },
      Button: { primaryColor: c.onAction, primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
      Segmented: { trackBg: c.line, itemSelectedBg: c.surface },
      Tabs: { horizontalMargin: '0 0 16px 0' },
      Descriptions: { itemPaddingBottom: 8 },
    },
  }
}
