import { Modal, Select } from 'antd'
import { useMemo } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { commandsOf, type Deeds } from './commands.ts'
import type { Editor } from './useEditor.ts'

type Props = {
  editor: Editor
  symbols: ReadonlyMap<string, PictureSymbol>
  all: ReadonlyMap<string, PictureSymbol>
  deeds: Deeds
  close: () => void
}
/** Searches the commands, symbols and items of the editor. */
export const CommandPalette = ({ editor, symbols, all, deeds, close }: Props) => {
  const t = useWords()
  const groups = useMemo(() => commandsOf({ editor, symbols, deeds }, [...all.values()], t), [all])
  const byKey = new Map(groups.flatMap(({ commands }) => commands.map((command) => [command.key, command])))
  return (
    <Modal open title={t('edit.commands')} footer={null} onCancel={close} width={520}>
      <Select
        autoFocus
        open
        className="edit-commands"
        aria-label={t('edit.commands')}
        placeholder={t('edit.commandHint')}
        showSearch={{ optionFilterProp: 'label' }}
        value={null}
        listHeight={320}
        options={groups.flatMap(({ title, commands }) =>
          commands.length ? [{ label: title, options: commands.map(({ key, label }) => ({ value: key, label })) }] : [],
        )}
        onSelect={(key: string | null) => {
          close()
          if (key) byKey.get(key)?.run()
        }}
        onKeyDown={(event) => event.key === 'Escape' && close()}
      />
    </Modal>
  )
}
