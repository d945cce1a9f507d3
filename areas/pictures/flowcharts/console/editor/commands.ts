import type { Words } from '../../../../../console/words/words.ts'
import { categories, type PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { basics } from './basics.ts'
import { align, copy, distribute, group, order, remove, set, turn, ungroup } from './changes.ts'
import { itemName } from './itemName.ts'
import { isFree, outOf } from './layers.ts'
import type { Carried } from './Palette.tsx'
import type { Editor } from './useEditor.ts'

export type Command = { key: string; label: string; run: () => void }
export type Deeds = {
  put: (what: Carried) => void
  lead: (item: string) => void
  zoomIn: () => void
  fit: () => void
  live: () => void
  replace: () => void
}

/** The commands available for the selection. */
const toSelection = (editor: Editor, symbols: ReadonlyMap<string, PictureSymbol>, t: Words): Command[] => {
  const { scene, selected, change, select } = editor
  if (!selected.size) return []
  const command = (did: string, make: Parameters<typeof change>[1], label = t(`edit.${did}`)): Command => ({
    ...{ key: `${did} ${label}`, label },
    run: () => change(did.split('.')[0]!, make),
  })
  const double = copy(scene, scene, selected, 16, 16)
  const joined = selected.size > 1 ? group(scene, selected, symbols) : undefined
  const flag = (name: 'hidden' | 'locked', value: true | undefined, label: string) =>
    command(label, (now) => set(now, selected, { [name]: value }))
  return [
    { key: 'copy', label: t('edit.copy'), run: () => [change('copy', () => double.scene), select(double.made)] },
    command('turn', (now) => turn(now, selected, 90)),
    ...(['front', 'forward', 'backward', 'back'] as const).map((to) => command(`order.${to}`, (now) => order(now, selected, to))),
    ...(joined
      ? [
          { key: 'group', label: t('edit.group'), run: () => [change('group', () => joined.scene), select(new Set([joined.id]))] },
          ...(['left', 'centre', 'right', 'top', 'middle', 'bottom'] as const).map((edge) =>
            command(`align.${edge}`, (now) => align(now, selected, edge, symbols)),
          ),
        ]
      : []),
    ...(selected.size > 2
      ? (['x', 'y'] as const).map((axis) => command(`distribute.${axis}`, (now) => distribute(now, selected, axis, symbols)))
      : []),
    ...(scene.items.some((item) => item.kind === 'group' && selected.has(item.id))
      ? [command('ungroup', (now) => ungroup(now, selected))]
      : []),
    flag('hidden', true, 'hideThese'),
    ...([...selected].some((id) => outOf(scene).fixed.has(id))
      ? [flag('locked', undefined, 'unlockThese')]
      : [flag('locked', true, 'lockThese')]),
    // Last: Enter runs the first entry.
    command('remove', (now) => remove(now, selected)),
  ]
}

/** All available commands of the editor, and all items of the picture, by name. */
export const commandsOf = (
  { editor, symbols, deeds }: { editor: Editor; symbols: ReadonlyMap<string, PictureSymbol>; deeds: Deeds },
  all: readonly PictureSymbol[],
  t: Words,
): { title: string; commands: Command[] }[] => {
  const { scene, select, history } = editor
  const everything = () =>
    select(new Set(scene.items.filter(({ id, in: group }) => group === undefined && isFree(scene, id)).map(({ id }) => id)))
  const general: Command[] = [
    ...(history.at > 0 ? [{ key: 'undo', label: t('edit.undo'), run: editor.undo }] : []),
    ...(history.at < history.steps.length - 1 ? [{ key: 'redo', label: t('edit.redo'), run: editor.redo }] : []),
    { key: 'all', label: t('edit.selectAll'), run: everything },
    { key: 'zoom', label: t('edit.zoomTo'), run: deeds.zoomIn },
    { key: 'fit', label: t('pictures.fit'), run: deeds.fit },
    { key: 'replace', label: t('edit.replace'), run: deeds.replace },
    { key: 'live', label: t('edit.live'), run: deeds.live },
  ]
  const ordered = [...categories, 'own'].flatMap((category) => all.filter(({ id }) => id.startsWith(`${category}.`)))
  return [
    { title: t('edit.commands'), commands: [...toSelection(editor, symbols, t), ...general] },
    {
      title: t('edit.palette'),
      commands: [
        ...Object.keys(basics).map((name) => ({
          key: `add ${name}`,
          label: t(`edit.basic.${name}`),
          run: () => deeds.put({ basic: name }),
        })),
        ...ordered.map(({ id, name }) => ({ key: `add ${id}`, label: name ?? t(`symbol.${id}`), run: () => deeds.put({ symbol: id }) })),
      ],
    },
    {
      title: t('edit.inPicture'),
      commands: scene.items.map((item) => ({ key: `item ${item.id}`, label: itemName(item, t), run: () => deeds.lead(item.id) })),
    },
  ]
}
