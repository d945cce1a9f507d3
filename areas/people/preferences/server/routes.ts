import type { FastifyInstance } from 'fastify'
import { preferenceCalls, rowHeights } from '../../../../contract/preferences.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { buttonsOf } from '../../../../server/identity/dataScope.ts'
import { defaultDictionaries, languageList } from './dictionaries.ts'
import { checkedColumns, checkedViews, savePreference, saveThemeSet, tablePreference, themeSetOf } from './service.ts'

export const preferenceRoutes = (app: FastifyInstance) => {
  serve(app, preferenceCalls.themeSet, ({ db, actor, query }) => themeSetOf(db, actor, query.UserId))
  serve(app, preferenceCalls.saveThemeSet, ({ db, actor, body }) => saveThemeSet(db, actor, body))
  serve(app, preferenceCalls.menuButtons, ({ actor, body }) => buttonsOf(actor).filter((code) => code.startsWith(`${body.MenuEncoding}.`)))
  serve(app, preferenceCalls.menuTable, ({ db, actor, query }) => tablePreference(db, actor, query.MenuEncoding))
  serve(app, preferenceCalls.rowHeight, ({ db, actor, body: { MenuEncoding, RowHeight } }) =>
    savePreference(db, actor, MenuEncoding, { RowHeight }),
  )
  serve(app, preferenceCalls.header, ({ db, actor, body: { MenuEncoding, Columns } }) =>
    savePreference(db, actor, MenuEncoding, { Columns: checkedColumns(Columns) }),
  )
  serve(app, preferenceCalls.resetHeader, ({ db, actor, body: { MenuEncoding } }) =>
    savePreference(db, actor, MenuEncoding, { Columns: [], RowHeight: rowHeights.standard }),
  )
  serve(app, preferenceCalls.views, ({ db, actor, body: { MenuEncoding, Views } }) =>
    savePreference(db, actor, MenuEncoding, { Views: checkedViews(Views) }),
  )
  serve(app, preferenceCalls.dictionaries, ({ request }) => defaultDictionaries(languageOf(request), new Date()))
  serve(app, preferenceCalls.languages, languageList)
}
