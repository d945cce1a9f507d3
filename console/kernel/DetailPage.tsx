import { Skeleton, Tabs } from 'antd'
import type { ComponentType } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import type { Resource } from '../../contract/resource.ts'
import { useSeesField } from '../session/session.ts'
import { DetailHead } from '../shell/DetailHead.tsx'
import { lazyScreen } from '../shell/lazyScreen.tsx'
import { useGo } from '../shell/To.tsx'
import { Facts } from '../theme/Facts.tsx'
import { State } from '../theme/State.tsx'
import { userZone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { useActs } from './acts.tsx'
import { type Shown, useRow } from './api.ts'
import { EmptyList, Failure } from './Empty.tsx'
import { Cell } from './fields.tsx'
import { type DetailLooks, type DetailOptions, menuPath, type Placed } from './plainScreens.ts'
import { RowActions } from './RowActions.tsx'

type Parts<R extends Resource> = Omit<DetailOptions<R>, 'looks'> & DetailLooks<R>
type Of<R extends Resource> = { of: R; row: Shown<R> }
const titleOf = (r: Resource, row: Record<string, unknown>) => String(row[r.title] ?? row.Id)

const RecordFacts = <R extends Resource>({
  of: r,
  row,
  fields,
  cells,
}: Of<R> & { fields: readonly string[]; cells: Parts<R>['cells'] }) => {
  const t = useWords()
  const shown = (field: string) => cells?.[field]?.(row, t) ?? <Cell of={r} field={field} row={row} />
  const sees = useSeesField()
  return <Facts of={fields.filter((key) => sees(r.fields[key])).map((key) => ({ key, label: t(`${r.name}.${key}`), value: shown(key) }))} />
}

const Sections = <R extends Resource>({ sections, ...of }: Of<R> & { sections: Parts<R>['sections'] } & Pick<Parts<R>, 'cells'>) => {
  const t = useWords()
  return (
    <div className="stack">
      {Object.entries(sections!).map(([word, fields]) => (
        <section key={word} className="panel">
          <h2>{t(word)}</h2>
          <RecordFacts {...of} cells={of.cells} fields={fields} />
        </section>
      ))}
      <p className="faint">{t('time.zone', { zone: userZone() })}</p>
    </div>
  )
}

/** The record was removed, or is out of sight: the way back to the list. */
const Gone = ({ of: r }: { of: Resource }) => {
  const t = useWords()
  const go = useGo()
  const action = { label: t(`menu.${r.permission}`), run: () => go(menuPath(r.permission)!) }
  return (
    <article className="page">
      <EmptyList text={t('detail.gone', { thing: t(r.name) })} action={action} />
    </article>
  )
}

/** The page of one record. The address has its Id, unless `of` says it, and the tab. */
export const detailPage = <R extends Resource>(
  r: R,
  { tabs = {}, facts, sections, states = {}, cells, head, Actions, Notice }: Parts<R>,
) => {
  const panes = Object.entries(tabs).map(([word, load]) => ({
    word,
    key: word.split('.').at(-1)!,
    Pane: lazyScreen(load as () => Promise<{ default: ComponentType<Placed & { row: Shown<R> }> }>),
  }))
  const keys = [...(sections ? ['overview'] : []), ...panes.map(({ key }) => key)]

  const Record = ({ row }: { row: Shown<R> }) => {
    const t = useWords()
    const [params, setParams] = useSearchParams()
    const title = titleOf(r, row)
    const acts = useActs(r, () => title)
    const { belongs, figures = [] } = head?.(row, t) ?? {}
    const back = <Link to={menuPath(r.permission)!}>{t(`menu.${r.permission}`)}</Link>
    const items = panes.map(({ key, word, Pane }) => ({ key, label: t(word), children: <Pane above={{ of: r, Id: row.Id }} row={row} /> }))
    const overview = sections && {
      key: 'overview',
      label: t('detail.overview'),
      children: <Sections of={r} row={row} sections={sections} cells={cells} />,
    }
    return (
      <article className="page">
        <DetailHead
          name={title}
          state={Object.entries(states).map(([name, of]) => (
            <State key={name} is={of?.[String(row[name])] ?? 'normal'}>
              <Cell of={r} field={name} row={row} />
            </State>
          ))}
          belongs={belongs ?? back}
          figures={figures}
          actions={
            (Actions || acts.any) && (
              <>
                {Actions && <Actions row={row} />}
                <RowActions actions={acts.actionsOf(row)} title={title} />
              </>
            )
          }
        />
        {Notice && <Notice row={row} />}
        {facts && <RecordFacts of={r} row={row} fields={facts} cells={cells} />}
        {keys.length > 0 && (
          <Tabs
            activeKey={keys.find((key) => key === params.get('tab')) ?? keys[0]!}
            onChange={(tab) => setParams({ Id: String(row.Id), tab }, { replace: true })}
            destroyOnHidden
            items={[...(overview ? [overview] : []), ...items]}
          />
        )}
        {acts.dialog}
      </article>
    )
  }

  return ({ of }: { of?: number }) => {
    const [params] = useSearchParams()
    const id = of ?? (Number(params.get('Id')) || undefined)
    const { data, error, refetch } = useRow(r, id)
    if (id === undefined) return <Navigate replace to={menuPath(r.permission)!} />
    // A record that is removed while its page shows it goes from the page as well.
    if (error?.status === 404) return <Gone of={r} />
    if (data) return <Record key={id} row={data} />
    return <article className="page">{error ? <Failure fault={error} retry={() => refetch()} /> : <Skeleton active />}</article>
  }
}

/** One address for the list of a resource and, with an Id, the page of a record. */
export const orDetail = (List: ComponentType, Detail: ComponentType) => () => (useSearchParams()[0].has('Id') ? <Detail /> : <List />)
