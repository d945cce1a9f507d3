import type { ComponentType } from 'react'
import { useSearchParams } from 'react-router'
import { resourceNamed } from '../../../contract/registry.ts'
import type { Resource } from '../../../contract/resource.ts'
import { type Lazy, lazyScreen } from '../../shell/lazyScreen.tsx'
import { Page } from '../../shell/Page.tsx'
import { useWords } from '../../words/words.ts'
import { useRow, useRows } from '../api.ts'
import { EmptyList } from '../Empty.tsx'
import { RefInput } from '../RefInput.tsx'
import { TreeScreen } from './TreeScreen.tsx'

type Props = { of: Resource; beside: ComponentType<{ id: number }> | undefined }

/** The tree of one owner, by default of the first. */
const OwnedTree = ({ of: r, to, beside }: Props & { to: Resource }) => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const { data } = useRows(to, { PageIndex: 1, PageSize: 1 })
  const id = Number(params.get('node')) || undefined
  const asked = Number(params.get(r.owner)) || undefined
  const linked = useRow(r, asked ? undefined : id)
  const chosen = asked ?? (linked.data?.[r.owner] as number | undefined) ?? (id && linked.isPending ? undefined : data?.Items[0]?.Id)
  if (data && !data.Items.length) return <EmptyList text={t(`empty.${to.name}`)} />
  return (
    chosen && (
      <TreeScreen key={chosen} of={r} beside={beside} fixed={{ [r.owner]: chosen }}>
        <span className="search-filter">
          <RefInput
            to={to}
            value={chosen}
            allowClear={false}
            aria-label={t(`${r.name}.${r.owner}`)}
            onChange={(next) => setParams({ [r.owner]: String(next) }, { replace: true })}
          />
        </span>
      </TreeScreen>
    )
  )
}

/** A page with a tree. If its records belong to an owner, the user selects the owner first. */
export const treePage = (r: Resource, load?: Lazy<{ id: number }>) => {
  const beside = load && lazyScreen(load, null)
  const owner = r.fields[r.owner]
  return () => {
    const to = owner?.kind === 'ref' ? resourceNamed(owner.to) : undefined
    const title = useWords()(`menu.${r.permission}`)
    return <Page title={title}>{to ? <OwnedTree of={r} to={to} beside={beside} /> : <TreeScreen of={r} beside={beside} />}</Page>
  }
}
