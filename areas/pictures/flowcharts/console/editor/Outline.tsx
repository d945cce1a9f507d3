import {
  EditOutlined,
  EyeInvisibleOutlined,
  EyeOutlined,
  LockOutlined,
  MoreOutlined,
  PlusOutlined,
  UnlockOutlined,
  WarningFilled,
} from '@ant-design/icons'
import { App, Button, Dropdown, Input, Tooltip, Tree } from 'antd'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import { childrenOf } from '../../../../../contract/picture/paint.ts'
import type { Item } from '../../../../../contract/picture/scene.ts'
import { set } from './changes.ts'
import type { Finding } from './findings.ts'
import { itemName } from './itemName.ts'
import { addLayer, type Layer, mostLayers, orderLayer, outOf, removeLayer, setLayer, toLayer } from './layers.ts'
import type { Editor } from './useEditor.ts'

type Node = { key: string; item?: Item; layer?: Layer; isGround?: boolean; children?: Node[]; selectable: boolean }
/** Layers with their items, front first. */
const treeOf = ({ scene }: Editor): Node[] => {
  const inside = childrenOf(scene)
  const nodeOf = (item: Item): Node => ({
    ...{ key: item.id, item, selectable: true },
    ...(item.kind === 'group' ? { children: (inside.get(item.id) ?? []).toReversed().map(nodeOf) } : {}),
  })
  const tops = (inside.get(undefined) ?? []).toReversed()
  const layers = scene.layers ?? []
  if (!layers.length) return tops.map(nodeOf)
  const known = new Set(layers.map(({ id }) => id))
  const on = (layer: string | undefined) =>
    tops.filter((item) => (known.has(item.layer ?? '') ? item.layer : undefined) === layer).map(nodeOf)
  return [
    ...layers.toReversed().map((layer) => ({ key: `layer ${layer.id}`, layer, selectable: true, children: on(layer.id) })),
    { key: 'ground', isGround: true, selectable: true, children: on(undefined) },
  ]
}

const parentsIn = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(({ key, children }) => (children ? [key, ...parentsIn(children)] : []))

const Toggle = ({ on, off, label, isOn, turn }: { on: ReactNode; off: ReactNode; label: string; isOn: boolean; turn: () => void }) => (
  <Button
    type="text"
    size="small"
    className={isOn ? '' : 'edit-quiet'}
    icon={isOn ? on : off}
    aria-label={label}
    aria-pressed={isOn}
    title={label}
    onClick={(event) => {
      event.stopPropagation()
      turn()
    }}
  />
)

type Flags = {
  name: string
  hidden: boolean | undefined
  locked: boolean | undefined
  put: (fields: { hidden?: boolean; locked?: boolean }) => void
}
const Toggles = ({ name, hidden, locked, put }: Flags) => {
  const t = useWords()
  return (
    <>
      <Toggle
        {...{ on: <EyeInvisibleOutlined />, off: <EyeOutlined />, isOn: hidden === true, label: t('edit.hide', { name }) }}
        turn={() => put({ hidden: !hidden })}
      />
      <Toggle
        {...{ on: <LockOutlined />, off: <UnlockOutlined />, isOn: locked === true, label: t('edit.lock', { name }) }}
        turn={() => put({ locked: !locked })}
      />
    </>
  )
}

/** A layer: name, visibility, lock, and actions. */
const LayerRow = ({ editor, layer }: { editor: Editor; layer: Layer }) => {
  const t = useWords()
  const { change, selected } = editor
  const [isNamed, setNamed] = useState(false)
  const { id, name } = layer
  const rename = (next: string) => {
    setNamed(false)
    if (next.trim() && next.trim() !== name) change('layer', (now) => setLayer(now, id, { name: next.trim() }))
  }
  const items = [
    { key: 'rename', label: t('edit.layer.rename'), onClick: () => setNamed(true) },
    {
      key: 'take',
      label: t('edit.layer.take'),
      disabled: !selected.size,
      onClick: () => change('layer', (now) => toLayer(now, selected, id)),
    },
    { key: 'up', label: t('edit.order.forward'), onClick: () => change('layer', (now) => orderLayer(now, id, 1)) },
    { key: 'down', label: t('edit.order.backward'), onClick: () => change('layer', (now) => orderLayer(now, id, -1)) },
    { key: 'remove', danger: true, label: t('edit.layer.remove'), onClick: () => change('layer', (now) => removeLayer(now, id)) },
  ]
  if (isNamed)
    return (
      <Input
        size="small"
        autoFocus
        maxLength={50}
        aria-label={t('edit.name')}
        defaultValue={name}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
        onBlur={(event) => rename(event.target.value)}
        onPressEnter={(event) => rename(event.currentTarget.value)}
      />
    )
  return (
    <span className="edit-row">
      <strong>{name}</strong>
      {editor.layer === id && <EditOutlined title={t('edit.layer.here')} />}
      <Toggles
        {...{ name, hidden: layer.hidden, locked: layer.locked }}
        put={(fields) => change('layer', (now) => setLayer(now, id, fields))}
      />
      <Dropdown trigger={['click']} menu={{ items, onClick: ({ domEvent }) => domEvent.stopPropagation() }}>
        <Button
          type="text"
          size="small"
          icon={<MoreOutlined />}
          aria-label={t('edit.layer.more', { name })}
          onClick={(event) => event.stopPropagation()}
        />
      </Dropdown>
    </span>
  )
}

const ItemRow = ({ editor, item, wrong }: { editor: Editor; item: Item; wrong: readonly Finding[] | undefined }) => {
  const t = useWords()
  const name = itemName(item, t)
  const isOut = outOf(editor.scene).hidden.has(item.id)
  return (
    <span className="edit-row">
      {wrong && (
        <Tooltip title={wrong.map(({ rule, values }) => t(rule, values)).join(' ')}>
          <WarningFilled
            className={wrong.some(({ isError }) => isError) ? 'edit-error' : 'edit-advice'}
            role="img"
            aria-label={wrong.map(({ rule, values }) => t(rule, values)).join(' ')}
          />
        </Tooltip>
      )}
      <span className={isOut ? 'soft edit-row-name' : 'edit-row-name'}>{name}</span>
      <Toggles
        {...{ name, hidden: item.hidden, locked: item.locked }}
        put={(fields) =>
          editor.change('set', (now) =>
            set(now, new Set([item.id]), Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value || undefined]))),
          )
        }
      />
    </span>
  )
}

/** All items by layer and group; a click selects one. */
export const Outline = ({ editor, findings }: { editor: Editor; findings: readonly Finding[] }) => {
  const t = useWords()
  const { message } = App.useApp()
  const { scene, selected, select, change } = editor
  const box = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(400)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setHeight(Math.max(200, Math.floor(entry!.contentRect.height))))
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  const nodes = useMemo(() => treeOf(editor), [scene])
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set())
  const open = useMemo(() => parentsIn(nodes).filter((key) => !shut.has(key)), [nodes, shut])
  const wrong = useMemo(() => Map.groupBy(findings, ({ item }) => item), [findings])
  const groundName = t('edit.layer.ground')
  const choose = (node: Node, adds: boolean) => {
    if (!node.item) return editor.setLayer(node.layer?.id)
    const next = new Set(adds ? selected : [])
    if (!next.delete(node.key)) next.add(node.key)
    select(next)
  }
  const addOne = () => {
    const made = addLayer(scene, t('edit.layer.new', { n: (scene.layers?.length ?? 0) + 1 }))
    change('layer', () => made.scene)
    editor.setLayer(made.id)
  }
  return (
    <>
      <Button
        size="small"
        icon={<PlusOutlined />}
        onClick={() => ((scene.layers?.length ?? 0) < mostLayers ? addOne() : message.warning(t('edit.layer.most', { most: mostLayers })))}
      >
        {t('edit.layer.add')}
      </Button>
      <div ref={box} className="edit-outline">
        {scene.items.length || scene.layers?.length ? (
          <Tree<Node>
            blockNode
            multiple
            expandedKeys={open}
            onExpand={(_, { node, expanded }) =>
              setShut(new Set(expanded ? [...shut].filter((key) => key !== node.key) : [...shut, node.key]))
            }
            aria-label={t('edit.outline')}
            height={height}
            treeData={nodes}
            selectedKeys={[...selected]}
            onSelect={(_, { node, nativeEvent }) => choose(node, nativeEvent.shiftKey || nativeEvent.ctrlKey || nativeEvent.metaKey)}
            titleRender={(node) =>
              node.item ? (
                <ItemRow editor={editor} item={node.item} wrong={wrong.get(node.key)} />
              ) : node.layer ? (
                <LayerRow editor={editor} layer={node.layer} />
              ) : (
                <span className="edit-row">
                  <strong>{groundName}</strong>
                  {editor.layer === undefined && <EditOutlined title={t('edit.layer.here')} />}
                </span>
              )
            }
          />
        ) : (
          <p className="soft">{t('edit.empty')}</p>
        )}
      </div>
    </>
  )
}
