import { UndoOutlined } from '@ant-design/icons'
import { App, Button, ColorPicker, Drawer, Segmented, Switch } from 'antd'
import { type ReactNode, useId } from 'react'
import { useWords } from '../words/words.ts'
import { type ThemeSet, themeDefaults, useThemeSet } from './themeSet.ts'

type Name = keyof ThemeSet
/** Preset colours, the default first. */
const presets = {
  ThemeColor: [themeDefaults.ThemeColor, '#1668dc', '#0f8a7a', '#2f8f3a', '#7a54b8', '#b13f92', '#c8641b', '#51606e'],
  NavigationBar: [themeDefaults.NavigationBar, '#1d8df0', '#14202f', '#22303f', '#0f8a7a', '#4a3570', '#e8eef5', '#f4efe6'],
  Sidebar: [themeDefaults.Sidebar, '#0b2239', '#1d2b24', '#2b2140', '#3a2320', '#2c333b', '#ffffff', '#e8eef5'],
}
type ColourName = keyof typeof presets

const Line = ({ label, children }: { label: string; children: (id: string) => ReactNode }) => {
  const id = useId()
  return (
    <div className="theme-line">
      <span id={id}>{label}</span>
      {children(id)}
    </div>
  )
}

const Colour = ({ name, label }: { name: ColourName; label: string }) => {
  const t = useWords()
  const value = useThemeSet((s) => s[name])
  const change = useThemeSet((s) => s.change)
  return (
    <div className="theme-colour">
      <Line label={label}>
        {() => (
          <ColorPicker value={value} disabledAlpha format="hex" onChange={(c) => change({ [name]: c.toHexString() })}>
            <button type="button" className="theme-own" aria-label={`${label}: ${value}`}>
              <i style={{ background: value }} />
              <span className="figures">{value}</span>
            </button>
          </ColorPicker>
        )}
      </Line>
      <div className="theme-presets" role="radiogroup" aria-label={t('theme.presets', { name: label })}>
        {presets[name].map((colour) => (
          <label key={colour} style={{ background: colour }} title={colour}>
            <input
              type="radio"
              name={name}
              aria-label={`${label}: ${colour}`}
              checked={colour === value}
              onChange={() => change({ [name]: colour })}
            />
          </label>
        ))}
      </div>
    </div>
  )
}

const Toggle = ({ name, label }: { name: Name; label: string }) => {
  const on = useThemeSet((s) => s[name]) === 1
  const change = useThemeSet((s) => s.change)
  return (
    <Line label={label}>{(id) => <Switch aria-labelledby={id} checked={on} onChange={(now) => change({ [name]: now ? 1 : 0 })} />}</Line>
  )
}

/** Theme settings of this person: previewed live, saved here and on the server when the drawer closes. */
export const ThemeDrawer = ({ open, close }: { open: boolean; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const { Mode, BFooter, change, reset, save } = useThemeSet()
  const done = () => {
    close()
    save().catch((error: Error) => message.warning(t('theme.notSaved', { reason: error.message })))
  }
  return (
    <Drawer
      open={open}
      onClose={done}
      title={t('theme.title')}
      size={320}
      // No mask, so that the page shows the chosen colours.
      mask={false}
      footer={
        <Button block icon={<UndoOutlined />} onClick={reset}>
          {t('theme.reset')}
        </Button>
      }
    >
      <div className="theme-drawer">
        <Segmented
          block
          aria-label={t('theme.mode')}
          value={Mode}
          onChange={(mode) => change({ Mode: mode })}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t(`theme.mode.${value}`) }))}
        />
        <Toggle name="BContrast" label={t('theme.contrast')} />
        <Toggle name="BCompact" label={t('theme.compact')} />
        <Colour name="ThemeColor" label={t('theme.colour')} />
        <Colour name="NavigationBar" label={t('theme.navigation')} />
        <Colour name="Sidebar" label={t('theme.sidebar')} />
        <Toggle name="BSidebarLogo" label={t('theme.logo')} />
        <Toggle name="BTabbar" label={t('theme.tabs')} />
        <Toggle name="BFooter" label={t('theme.footer')} />
        {BFooter === 1 && <Toggle name="BFixedFooter" label={t('theme.fixedFooter')} />}
      </div>
    </Drawer>
  )
}
