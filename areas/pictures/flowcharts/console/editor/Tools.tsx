import {
  AlignCenterOutlined,
  CopyOutlined,
  DeleteOutlined,
  GroupOutlined,
  RedoOutlined,
  RotateRightOutlined,
  UndoOutlined,
  UngroupOutlined,
} from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useMobile } from '../../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { align, copy, distribute, type Edge, group, order, remove, turn, ungroup } from './changes.ts'
import type { Editor } from './useEditor.ts'

const edges: readonly Edge[] = ['left', 'centre', 'right', 'top', 'middle', 'bottom']

type ToolProps = { label: string; icon: ReactNode; disabled?: boolean; run: () => void }
/** A button of the editor's bar. */
export const Tool = ({ label, icon, disabled = false, run }: ToolProps) => (
  <Tooltip title={label}>
    <Button type="text" icon={icon} aria-label={label} disabled={disabled} onClick={run} />
  </Tooltip>
)

/** Actions on the selection; none on a phone, which is view-only. */
export const Tools = ({ editor, symbols }: { editor: Editor; symbols: ReadonlyMap<string, PictureSymbol> }) => {
  const t = useWords()
  const isMobile = useMobile()
  const { scene, selected, change, select, history } = editor
  const [none, few] = [selected.size === 0, selected.size < 2]
  const aligned = edges.map((edge) => ({
    key: edge,
    label: t(`edit.align.${edge}`),
    onClick: () => change('align', (now) => align(now, selected, edge, symbols)),
  }))
  const spread = (['x', 'y'] as const).map((axis) => ({
    ...{ key: axis, label: t(`edit.distribute.${axis}`), disabled: selected.size < 3 },
    onClick: () => change('distribute', (now) => distribute(now, selected, axis, symbols)),
  }))
  const ordered = (['front', 'forward', 'backward', 'back'] as const).map((to) => ({
    key: to,
    label: t(`edit.order.${to}`),
    onClick: () => change('order', (now) => order(now, selected, to)),
  }))
  const double = () => {
    const made = copy(scene, scene, selected, 16, 16)
    change('copy', () => made.scene)
    select(made.made)
  }
  const join = () => {
    const made = group(scene, selected, symbols)
    if (!made) return
    change('group', () => made.scene)
    select(new Set([made.id]))
  }
  const isGroup = scene.items.some((item) => item.kind === 'group' && selected.has(item.id))
  if (isMobile) return null
  return (
    <>
      <Tool label={t('edit.undo')} icon={<UndoOutlined />} disabled={history.at === 0} run={editor.undo} />
      <Tool label={t('edit.redo')} icon={<RedoOutlined />} disabled={history.at === history.steps.length - 1} run={editor.redo} />
      <Tool label={t('edit.copy')} icon={<CopyOutlined />} disabled={none} run={double} />
      <Tool
        label={t('edit.turn')}
        icon={<RotateRightOutlined />}
        disabled={none}
        run={() => change('turn', (now) => turn(now, selected, 90))}
      />
      <Tool label={t('edit.group')} icon={<GroupOutlined />} disabled={few} run={join} />
      <Tool
        label={t('edit.ungroup')}
        icon={<UngroupOutlined />}
        disabled={!isGroup}
        run={() => change('ungroup', (now) => ungroup(now, selected))}
      />
      <Dropdown disabled={none} menu={{ items: [...(few ? [] : aligned), ...(few ? [] : spread), ...ordered] }} trigger={['click']}>
        <Button type="text" icon={<AlignCenterOutlined />} aria-label={t('edit.arrange')} />
      </Dropdown>
      <Tool
        label={t('edit.remove')}
        icon={<DeleteOutlined />}
        disabled={none}
        run={() => change('remove', (now) => remove(now, selected))}
      />
    </>
  )
}
