import type RFB from '@novnc/novnc'
import { Button, Input } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import { extraKeys, keysymOf } from './keysyms.ts'

/** Keyboard for a panel on a phone, and buttons for keys that browsers intercept. */
export const PanelKeys = ({ rfb }: { rfb: RFB }) => {
  const t = useWords()
  return (
    <div className="panel-keys">
      <Input
        value=""
        autoComplete="off"
        autoCapitalize="off"
        placeholder={t('deviceVnc.type')}
        aria-label={t('deviceVnc.type')}
        onChange={({ target }) => {
          for (const character of target.value) rfb.sendKey(keysymOf(character), '')
        }}
      />
      {Object.entries(extraKeys).map(([name, { keysym, code }]) => (
        <Button key={name} aria-label={code} onClick={() => rfb.sendKey(keysym, code)}>
          {name}
        </Button>
      ))}
      <Button onClick={() => rfb.sendCtrlAltDel()}>Ctrl+Alt+Del</Button>
    </div>
  )
}
