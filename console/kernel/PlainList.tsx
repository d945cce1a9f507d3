import { Button } from 'antd'
import { type ComponentType, Fragment, useState } from 'react'
import { Link } from 'react-router'
import { resourceNamed } from '../../contract/registry.ts'
import type { Resource } from '../../contract/resource.ts'
import { useMayCode } from '../session/session.ts'
import { useOwner, useTenant } from '../session/useTenant.ts'
import { lazyScreen } from '../shell/lazyScreen.tsx'
import { Page } from '../shell/Page.tsx'
import { SidePanel } from '../shell/SidePanel.tsx'
import { useGo } from '../shell/To.tsx'
import { useWords } from '../words/words.ts'
import { iconOf } from './actionIcons.tsx'
import { type Shown, useWrite } from './api.ts'
import type { Values } from './form/merge.ts'
import { type DialogProps, menuPath, type Placed, type PlainOptions, parts } from './plainScreens.ts'
import { type ListProps, ResourceList } from './ResourceList.tsx'

/** References of a tenant's record point to records of the same tenant. */
const ofTenant = (r: Resource, tenant: number | undefined) => ({
  where: Object.fromEntries(
    Object.entries(r.fields).flatMap(([name, f]) =>
      f.kind === 'ref' && !resourceNamed(f.to)?.shared ? [[name, { EnterpriseId: tenant }]] : [],
    ),
  ),
})

type Panel<R extends Resource> = { word: string; prefix: string; titleOf: ListProps<R>['titleOf'] }
/** The list of what points to a record, beside the list in which the record is. */
const panelOf = <R extends Resource>(r: R, List: ComponentType<Placed>, { word, prefix, titleOf }: Panel<R>) => {
  const Panel = ({ row, close }: DialogProps<R>) => {
    const t = useWords()
    const title = `${t(word)}: ${titleOf?.(row, t) ?? String((row as Values)[r.title])}`
    return (
      <SidePanel width={900} title={title} onClose={close}>
        <List above={{ of: r, Id: row.Id }} prefix={prefix} />
      </SidePanel>
    )
  }
  return Panel
}

/** The field by which the rows of a resource point to another one. */
const fieldTo = (r: Resource, to: Resource) => Object.entries(r.fields).find(([, f]) => f.kind === 'ref' && f.to === to.name)?.[0]

/** A page with the list of a resource and its form, or only the list below one record. Rows of a tenant follow the tenant that is chosen. */
export const plainList = <R extends Resource>(
  r: R,
  columns: (keyof R['fields'] & string)[],
  { anyTenant, actions = {}, buttons = {}, create, form, added, around, see = [], inputs, refine: own, below, ...options }: PlainOptions<R>,
) => {
  const dialogs = new Map<string, ComponentType<DialogProps<R>>>()
  for (const [word, action] of Object.entries(actions)) {
    if ('dialog' in action) dialogs.set(word, lazyScreen(action.dialog, null))
    if ('panel' in action)
      dialogs.set(word, panelOf(r, lazyScreen(action.panel), { word, prefix: action.prefix, titleOf: options.titleOf }))
  }
  if (added) dialogs.set('', lazyScreen(added.dialog, null))
  const tools = Object.entries(buttons).map(([word, { dialog, ...button }]) => ({
    word,
    ...button,
    Dialog: dialog && lazyScreen(dialog, null),
  }))
  const OwnForm = form && lazyScreen(form, null)
  const Around = around ? lazyScreen(around) : Fragment
  const Create = create && lazyScreen(create, null)

  const PlainList = ({ above, prefix }: Placed) => {
    const t = useWords()
    const may = useMayCode()
    const go = useGo()
    const chosen = useTenant()
    const owner = useOwner(r)
    const tenant = anyTenant ? undefined : options.ofCompany ? owner : chosen
    const [opened, open] = useState<{ word: string; row: Shown<R> }>()
    const [tool, use] = useState<string>()
    const [editing, edit] = useState<Shown<R> | 'new'>()
    const isPage = !above && prefix === undefined
    const { mutate: run } = useWrite([r.name], async (work: () => unknown) => work())
    const to = above && fieldTo(r, above.of)
    const refine = (values: Values) => {
      const of = ofTenant(r, tenant?.EnterpriseId ?? (values.EnterpriseId as number | undefined) ?? owner?.EnterpriseId)
      const more = own?.(values)
      return { ...of, ...more, where: { ...of.where, ...more?.where } }
    }
    const Dialog = opened && dialogs.get(opened.word)
    const Tool = tools.find(({ word }) => word === tool)?.Dialog
    const content = (
      <Around>
        <ResourceList<R>
          of={r}
          columns={columns.filter((name) => name !== to)}
          fixed={to ? { [to]: above.Id } : tenant}
          prefix={prefix ?? ''}
          secondary={above !== undefined}
          extra={
            <>
              {!anyTenant && isPage && <parts.TenantSelect />}
              {tools
                .filter(({ needs }) => may(needs))
                .map(({ word, icon, to, small }) => (
                  <Button key={word} icon={iconOf(icon)} aria-label={t(word)} title={t(word)} onClick={() => (to ? go(to) : use(word))}>
                    {small ? null : t(word)}
                  </Button>
                ))}
            </>
          }
          form={{
            refine,
            ...(inputs && { inputs }),
            ...(below && { below }),
            ...(added && may(added.needs) && { onAdded: (row) => open({ word: '', row }) }),
          }}
          {...((OwnForm || Create) && { onAdd: () => edit('new') })}
          {...(OwnForm && { onEdit: edit })}
          {...(dialogs.size + Object.keys(actions).length > 0 && {
            actions: (row) =>
              Object.entries(actions)
                .filter(([, { needs, when }]) => (!needs || may(needs)) && (when?.(row) ?? true))
                .map(([word, action]) => ({
                  ...{ key: word, label: t(word), icon: action.icon && iconOf(action.icon), danger: action.danger ?? false },
                  ...('to' in action
                    ? { to: action.to(row) }
                    : { run: () => ('run' in action ? run(() => action.run(row, t)) : open({ word, row })) }),
                })),
          })}
          {...options}
        />
        {Dialog && <Dialog row={opened.row} close={() => open(undefined)} />}
        {Tool && <Tool tenant={owner?.EnterpriseId} close={() => use(undefined)} />}
        {Create && editing && <Create tenant={owner?.EnterpriseId} close={() => edit(undefined)} />}
        {OwnForm && editing && (
          <OwnForm
            row={editing === 'new' ? undefined : editing}
            tenant={editing === 'new' ? owner?.EnterpriseId : editing.EnterpriseId}
            close={() => edit(undefined)}
          />
        )}
      </Around>
    )
    if (!isPage) return content
    const links = see.filter(may).map((code) => (
      <Link key={code} to={menuPath(code)!}>
        {t(`menu.${code}`)}
      </Link>
    ))
    return (
      <Page title={t(`menu.${r.permission}`)} {...(links.length && { actions: links })}>
        {content}
      </Page>
    )
  }
  return PlainList
}
