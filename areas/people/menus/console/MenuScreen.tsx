import { PlusOutlined } from '@ant-design/icons'
import { App, Button, Drawer, Skeleton, Tree } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { icons } from '../../../../console/shell/icons.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type MenuBranch, menuCalls } from '../../../../contract/menu-entries.ts'
import { MenuForm } from './MenuForm.tsx'
import '../../../../console/theme/tree.css'

type Node = { key: number; branch: MenuBranch; children: Node[] }
const nodes = (tree: readonly MenuBranch[]): Node[] =>
  tree.filter((b) => b.MenuType !== 2).map((branch) => ({ key: branch.Id, branch, children: nodes(branch.MenuChildren) }))
const flat = (list: readonly Node[]): Node[] => list.flatMap((n) => [n, ...flat(n.children)])

/** Editor for the menu tree of all consoles: names, icons, order, visibility, and custom links. */
const MenuScreen = () => {
  const t = useWords()
  const phone = usePhone()
  const { message } = App.useApp()
  const [mayAdd, mayEdit] = [useMay('m10418.add'), useMay('m10418.edit')]
  const { data, error, refetch } = useCall(menuCalls.tree, { query: { ModuleType: 1 }, of: ['menu'] })
  const move = useCommand(menuCalls.update, ['menu'])
  const [chosen, setChosen] = useState<number | 'new'>()
  const tree = nodes((data ?? []) as MenuBranch[])
  const all = flat(tree)
  const branch = all.find((n) => n.key === chosen)?.branch

  const label = ({ branch: b }: Node) => (
    <span className={b.IsVisible === 0 ? 'faint' : undefined}>
      {b.Icon in icons && icons[b.Icon as keyof typeof icons]} {b.MenuName}
      {b.IsVisible === 0 && ` (${t('menus.hidden')})`}
    </span>
  )
  const drop = (dragged: Node, target: Node, gap: number) => {
    const inside = gap === 0
    const above = inside ? target.key : target.branch.ParentId
    const siblings = above ? (all.find((n) => n.key === above)?.children ?? []) : tree
    const at = siblings.findIndex((n) => n.key === target.key)
    const before = inside ? null : gap < 0 ? target.key : (siblings[at + 1]?.key ?? null)
    if (before !== dragged.key) move.mutate({ body: { Id: dragged.key, ParentId: above || null, Before: before } })
  }
  const form =
    chosen === 'new' || branch ? (
      <MenuForm
        key={chosen}
        menu={branch}
        directories={all.filter((n) => n.branch.MenuType === 0).map((n) => n.branch)}
        saved={(id) => {
          setChosen(phone ? undefined : id)
          message.success(t('menus.saved'))
        }}
        close={() => setChosen(undefined)}
      />
    ) : undefined
  return (
    <Page
      title={t('menu.m10418')}
      actions={
        mayAdd && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setChosen('new')}>
            {t('menus.addLink')}
          </Button>
        )
      }
    >
      <p className="soft">{t('menus.help')}</p>
      {error && !data ? (
        <Failure fault={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton active />
      ) : (
        <div className="tree-screen">
          <div className="tree-card">
            <Tree<Node>
              aria-label={t('menu.m10418')}
              blockNode
              defaultExpandAll
              treeData={tree}
              titleRender={label}
              draggable={mayEdit && !phone ? { icon: false } : false}
              selectedKeys={typeof chosen === 'number' ? [chosen] : []}
              onSelect={(_, { node }) => setChosen(node.key)}
              onDrop={({ dragNode, node, dropPosition }) => {
                const index = Number(node.pos.split('-').at(-1))
                drop(dragNode, node, Math.sign(dropPosition - index) * (dropPosition === index ? 0 : 1))
              }}
            />
          </div>
          {phone ? (
            <Drawer open={form !== undefined} placement="bottom" size="85%" title={t('menu.m10418')} onClose={() => setChosen(undefined)}>
              {form}
            </Drawer>
          ) : (
            <aside className="tree-side">{form ?? <p className="faint">{t('menus.choose')}</p>}</aside>
          )}
        </div>
      )}
    </Page>
  )
}
export default MenuScreen
