import { Button, Form, Input, InputNumber, Select } from 'antd'
import { useWords } from '../../../../../console/words/words.ts'
import type { Item, Scene } from '../../../../../contract/picture/scene.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { Bindings } from './Bindings.tsx'
import { ClickAction } from './ClickAction.tsx'
import { set } from './changes.ts'
import { Fields } from './Fields.tsx'
import { itemName, kindName } from './itemName.ts'
import { outOf, toLayer } from './layers.ts'
import { Parameters } from './Parameters.tsx'
import { PartFields } from './PartFields.tsx'
import { type Points, Source } from './Source.tsx'
import { Texts } from './Texts.tsx'
import type { Editor } from './useEditor.ts'

/** Properties of the sheet, without a selection. */
const SheetProperties = ({ editor, points }: { editor: Editor; points: Points }) => {
  const t = useWords()
  const { scene, change } = editor
  const size = (name: 'width' | 'height') => (
    <Form.Item key={name} label={t(`edit.${name}`)}>
      <InputNumber
        aria-label={t(`edit.${name}`)}
        min={100}
        max={20_000}
        value={scene[name]}
        onChange={(value) => value && change('set', (now): Scene => ({ ...now, [name]: value }), true)}
      />
    </Form.Item>
  )
  return (
    <>
      <h2>{t('edit.sheet')}</h2>
      <Form layout="vertical" size="small">
        <div className="edit-numbers">
          {size('width')}
          {size('height')}
        </div>
        <Parameters editor={editor} points={points} />
      </Form>
      <p className="soft">{t('edit.hint')}</p>
    </>
  )
}

type Own = {
  scene: Scene
  project: number
  item: Item
  put: (fields: Record<string, unknown>) => void
  symbols: ReadonlyMap<string, PictureSymbol>
  points: Points
}
/** Content, bindings and action of one item. */
const Content = ({ item, put, symbols, points, scene, project }: Own) => {
  const t = useWords()
  const symbol = item.kind === 'symbol' ? symbols.get(item.symbol) : undefined
  return (
    <>
      <Form.Item label={t('edit.name')}>
        <Input
          aria-label={t('edit.name')}
          maxLength={50}
          placeholder={itemName(item, t)}
          value={item.name ?? ''}
          onChange={(event) => put({ name: event.target.value || undefined })}
        />
      </Form.Item>
      {item.kind === 'text' && (
        <Texts lines label={t('edit.text')} most={500} value={item.text} change={(text) => put({ text: text ?? '' })} />
      )}
      {item.kind === 'value' && <Texts label={t('edit.label')} most={100} value={item.label} change={(label) => put({ label })} />}
      {'of' in item && item.of !== undefined && (
        <Source label={t('edit.value')} value={item.of} points={points} change={(of) => put({ of })} />
      )}
      {item.kind === 'symbol' && symbol?.letters && (
        <Form.Item label={t('edit.letters')}>
          <Input
            aria-label={t('edit.letters')}
            maxLength={8}
            value={item.letters ?? ''}
            onChange={(event) => put({ letters: event.target.value || undefined })}
          />
        </Form.Item>
      )}
      <PartFields {...{ item, put, points, scene, project }} />
      <Bindings item={item} symbol={symbol} symbols={symbols} points={points} change={(bind) => put({ bind })} />
      {item.kind !== 'group' && <ClickAction {...{ item, points, scene, project }} change={(acts) => put({ acts })} />}
      {item.kind === 'pipe' && item.bends && (
        <Form.Item>
          <Button onClick={() => put({ bends: undefined })}>{t('edit.unbend')}</Button>
        </Form.Item>
      )}
    </>
  )
}

/** Layer of the selection. */
const OnLayer = ({ editor: { scene, selected, change }, items }: { editor: Editor; items: readonly Item[] }) => {
  const t = useWords()
  const [first] = items
  if (!scene.layers?.length) return null
  const options = [
    ...scene.layers.map(({ id, name }) => ({ value: id, label: name })).toReversed(),
    { value: '', label: t('edit.layer.ground') },
  ]
  return (
    <Form.Item label={t('edit.layer')}>
      <Select
        aria-label={t('edit.layer')}
        value={items.every(({ layer }) => layer === first?.layer) ? (first?.layer ?? '') : null}
        placeholder={t('edit.mixed')}
        options={options}
        onChange={(layer: string | null) => change('layer', (now) => toLayer(now, selected, layer || undefined))}
      />
    </Form.Item>
  )
}

type Props = { editor: Editor; symbols: ReadonlyMap<string, PictureSymbol>; points: Points; project: number; replace: () => void }
/** Properties of the selection; without one, of the sheet. */
export const Properties = ({ editor, symbols, points, project, replace }: Props) => {
  const t = useWords()
  const { scene, selected, change } = editor
  const items = scene.items.filter(({ id }) => selected.has(id))
  const [item] = items
  const replacing = <Button onClick={replace}>{t('edit.replace')}</Button>
  if (!item)
    return (
      <>
        <SheetProperties editor={editor} points={points} />
        {replacing}
      </>
    )
  const put = (fields: Record<string, unknown>) => change('set', (now) => set(now, selected, fields), true)
  const isFixed = items.some(({ id }) => outOf(scene).fixed.has(id))
  const what = kindName(item, t)
  return (
    <>
      <h2>{items.length === 1 ? what : t('edit.many', { count: items.length })}</h2>
      <Form layout="vertical" size="small" disabled={isFixed}>
        {isFixed && <p className="soft">{t('edit.fixed')}</p>}
        {items.length === 1 && <Content {...{ item, put, symbols, points, scene, project }} />}
        <Fields editor={editor} items={items} />
        <OnLayer editor={editor} items={items} />
        {replacing}
      </Form>
    </>
  )
}
