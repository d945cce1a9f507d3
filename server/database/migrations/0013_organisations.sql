-- Organisations, departments, posts, regions and dictionaries.

alter table organ
    add column "OrganNo" text,
    add column "ManagerUserId" bigint,
    add column "Address" text,
    add column "Status" smallint not null default 1,
    add column "Remark" text,
    add constraint "organ_ManagerUserId_fkey" foreign key ("EnterpriseId", "ManagerUserId") references "user" ("EnterpriseId", "Id");
create index organ_parent on organ ("EnterpriseId", "ParentOrganId");

create table department (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DepartmentName" text not null,
    "BelongOrganId" bigint not null,
    "ParentId" bigint,
    "ManagerUserId" bigint,
    "Status" smallint not null default 1,
    "Sort" integer not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "department_DepartmentName_key" unique ("EnterpriseId", "BelongOrganId", "DepartmentName"),
    constraint "department_BelongOrganId_fkey" foreign key ("EnterpriseId", "BelongOrganId") references organ ("EnterpriseId", "Id"),
    constraint "department_ParentId_fkey" foreign key ("EnterpriseId", "ParentId") references department ("EnterpriseId", "Id"),
    constraint "department_ManagerUserId_fkey" foreign key ("EnterpriseId", "ManagerUserId") references "user" ("EnterpriseId", "Id")
);
create index department_parent on department ("EnterpriseId", "ParentId");
select penstock_tenant_table('department');

alter table "user" add column if not exists "DepartmentId" bigint;
alter table "user" add constraint "user_DepartmentId_fkey" foreign key ("EnterpriseId", "DepartmentId") references department ("EnterpriseId", "Id");
create index user_department on "user" ("EnterpriseId", "DepartmentId");
grant select ("DepartmentId"), update ("DepartmentId") on "user" to penstock_tenant;

create table post (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "PostName" text not null,
    "PostNo" text,
    "BelongOrganId" bigint not null,
    "Status" smallint not null default 1,
    "Sort" integer not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "post_PostName_key" unique ("EnterpriseId", "BelongOrganId", "PostName"),
    constraint "post_BelongOrganId_fkey" foreign key ("EnterpriseId", "BelongOrganId") references organ ("EnterpriseId", "Id")
);
select penstock_tenant_table('post');

create table region (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "RegionName" text not null,
    "AreaCode" text,
    "ParentId" bigint,
    "Sort" integer not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "region_RegionName_key" unique nulls not distinct ("EnterpriseId", "ParentId", "RegionName"),
    constraint "region_AreaCode_key" unique ("EnterpriseId", "AreaCode"),
    constraint "region_ParentId_fkey" foreign key ("EnterpriseId", "ParentId") references region ("EnterpriseId", "Id")
);
select penstock_tenant_table('region');

create table dict (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DictCode" text not null,
    "DictName" text not null,
    "IsSystem" smallint not null default 0,
    "Remark" text,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "dict_DictCode_key" unique ("EnterpriseId", "DictCode")
);

create table data_dict (
    "Id" bigint generated always as identity primary key,
    "EnterpriseId" bigint not null references enterprise,
    "DictId" bigint not null,
    "DataValue" text not null,
    "DataName" text not null,
    "NameEn" text,
    "NameZh" text,
    "NameEs" text,
    "NameJa" text,
    "Colour" text,
    "Status" smallint not null default 1,
    "Sort" integer not null default 0,
    "IsSystem" smallint not null default 0,
    "CreateTime" timestamptz not null default now(),
    "UpdateTime" timestamptz not null default now(),
    unique ("EnterpriseId", "Id"),
    constraint "data_dict_DataValue_key" unique ("EnterpriseId", "DictId", "DataValue"),
    constraint "data_dict_DictId_fkey" foreign key ("EnterpriseId", "DictId") references dict ("EnterpriseId", "Id")
);

-- What every tenant's dictionaries begin with. The tenant may rename, disable and add; it cannot remove these.
create table dict_standard (
    "DictCode" text not null,
    "Sort" integer not null,
    "DataValue" text not null,
    "NameEn" text not null,
    "NameZh" text not null,
    "NameEs" text not null,
    "NameJa" text not null,
    primary key ("DictCode", "DataValue")
);
insert into dict_standard values
    ('CommonStatus', 1, '1', 'Enabled', '启用', 'Habilitado', '有効'),
    ('CommonStatus', 2, '0', 'Disabled', '停用', 'Deshabilitado', '無効'),
    ('YesOrNoDic', 1, '1', 'Yes', '是', 'Sí', 'はい'),
    ('YesOrNoDic', 2, '0', 'No', '否', 'No', 'いいえ'),
    ('SceneoptionsDic', 1, '1', 'Water works', '水厂', 'Planta de agua', '浄水場'),
    ('SceneoptionsDic', 2, '2', 'Factory', '工厂', 'Fábrica', '工場'),
    ('SceneoptionsDic', 3, '3', 'Building', '楼宇', 'Edificio', 'ビル'),
    ('SceneoptionsDic', 4, '4', 'Energy station', '能源站', 'Central energética', 'エネルギーセンター'),
    ('SceneoptionsDic', 5, '5', 'Cold storage', '冷库', 'Cámara frigorífica', '冷蔵倉庫'),
    ('SceneoptionsDic', 6, '6', 'Agriculture', '农业', 'Agricultura', '農業'),
    ('SceneoptionsDic', 7, '9', 'Other', '其他', 'Otro', 'その他'),
    ('DataSetDic', 1, '1', 'Training set', '训练集', 'Conjunto de entrenamiento', '学習データ'),
    ('DataSetDic', 2, '2', 'Validation set', '验证集', 'Conjunto de validación', '検証データ'),
    ('DataSetDic', 3, '3', 'Test set', '测试集', 'Conjunto de prueba', 'テストデータ'),
    ('TestDataTypeDic', 1, '0', 'Bool', 'Bool', 'Bool', 'Bool'),
    ('TestDataTypeDic', 2, '1', 'Int16 AB', 'Int16 AB', 'Int16 AB', 'Int16 AB'),
    ('TestDataTypeDic', 3, '31', 'Int16 BA', 'Int16 BA', 'Int16 BA', 'Int16 BA'),
    ('TestDataTypeDic', 4, '2', 'UInt16 AB', 'UInt16 AB', 'UInt16 AB', 'UInt16 AB'),
    ('TestDataTypeDic', 5, '32', 'UInt16 BA', 'UInt16 BA', 'UInt16 BA', 'UInt16 BA'),
    ('TestDataTypeDic', 6, '3', 'Int32 ABCD', 'Int32 ABCD', 'Int32 ABCD', 'Int32 ABCD'),
    ('TestDataTypeDic', 7, '4', 'Int32 CDAB', 'Int32 CDAB', 'Int32 CDAB', 'Int32 CDAB'),
    ('TestDataTypeDic', 8, '5', 'Int32 BADC', 'Int32 BADC', 'Int32 BADC', 'Int32 BADC'),
    ('TestDataTypeDic', 9, '6', 'Int32 DCBA', 'Int32 DCBA', 'Int32 DCBA', 'Int32 DCBA'),
    ('TestDataTypeDic', 10, '33', 'UInt32 ABCD', 'UInt32 ABCD', 'UInt32 ABCD', 'UInt32 ABCD'),
    ('TestDataTypeDic', 11, '34', 'UInt32 CDAB', 'UInt32 CDAB', 'UInt32 CDAB', 'UInt32 CDAB'),
    ('TestDataTypeDic', 12, '35', 'UInt32 BADC', 'UInt32 BADC', 'UInt32 BADC', 'UInt32 BADC'),
    ('TestDataTypeDic', 13, '36', 'UInt32 DCBA', 'UInt32 DCBA', 'UInt32 DCBA', 'UInt32 DCBA'),
    ('TestDataTypeDic', 14, '7', 'Float ABCD', 'Float ABCD', 'Float ABCD', 'Float ABCD'),
    ('TestDataTypeDic', 15, '8', 'Float CDAB', 'Float CDAB', 'Float CDAB', 'Float CDAB'),
    ('TestDataTypeDic', 16, '9', 'Float BADC', 'Float BADC', 'Float BADC', 'Float BADC'),
    ('TestDataTypeDic', 17, '10', 'Float DCBA', 'Float DCBA', 'Float DCBA', 'Float DCBA'),
    ('TimeZoneDic', 1, 'UTC', 'UTC', '协调世界时', 'UTC', '協定世界時'),
    ('TimeZoneDic', 2, 'Pacific/Honolulu', 'Honolulu', '檀香山', 'Honolulu', 'ホノルル'),
    ('TimeZoneDic', 3, 'America/Anchorage', 'Anchorage', '安克雷奇', 'Anchorage', 'アンカレッジ'),
    ('TimeZoneDic', 4, 'America/Los_Angeles', 'Los Angeles', '洛杉矶', 'Los Ángeles', 'ロサンゼルス'),
    ('TimeZoneDic', 5, 'America/Denver', 'Denver', '丹佛', 'Denver', 'デンバー'),
    ('TimeZoneDic', 6, 'America/Chicago', 'Chicago', '芝加哥', 'Chicago', 'シカゴ'),
    ('TimeZoneDic', 7, 'America/Mexico_City', 'Mexico City', '墨西哥城', 'Ciudad de México', 'メキシコシティ'),
    ('TimeZoneDic', 8, 'America/Bogota', 'Bogotá', '波哥大', 'Bogotá', 'ボゴタ'),
    ('TimeZoneDic', 9, 'America/New_York', 'New York', '纽约', 'Nueva York', 'ニューヨーク'),
    ('TimeZoneDic', 10, 'America/Santiago', 'Santiago', '圣地亚哥', 'Santiago de Chile', 'サンティアゴ'),
    ('TimeZoneDic', 11, 'America/Argentina/Buenos_Aires', 'Buenos Aires', '布宜诺斯艾利斯', 'Buenos Aires', 'ブエノスアイレス'),
    ('TimeZoneDic', 12, 'America/Sao_Paulo', 'São Paulo', '圣保罗', 'São Paulo', 'サンパウロ'),
    ('TimeZoneDic', 13, 'Atlantic/Azores', 'Azores', '亚速尔群岛', 'Azores', 'アゾレス諸島'),
    ('TimeZoneDic', 14, 'Europe/London', 'London', '伦敦', 'Londres', 'ロンドン'),
    ('TimeZoneDic', 15, 'Europe/Berlin', 'Berlin', '柏林', 'Berlín', 'ベルリン'),
    ('TimeZoneDic', 16, 'Europe/Madrid', 'Madrid', '马德里', 'Madrid', 'マドリード'),
    ('TimeZoneDic', 17, 'Africa/Lagos', 'Lagos', '拉各斯', 'Lagos', 'ラゴス'),
    ('TimeZoneDic', 18, 'Africa/Johannesburg', 'Johannesburg', '约翰内斯堡', 'Johannesburgo', 'ヨハネスブルグ'),
    ('TimeZoneDic', 19, 'Africa/Cairo', 'Cairo', '开罗', 'El Cairo', 'カイロ'),
    ('TimeZoneDic', 20, 'Europe/Istanbul', 'Istanbul', '伊斯坦布尔', 'Estambul', 'イスタンブール'),
    ('TimeZoneDic', 21, 'Europe/Moscow', 'Moscow', '莫斯科', 'Moscú', 'モスクワ'),
    ('TimeZoneDic', 22, 'Asia/Riyadh', 'Riyadh', '利雅得', 'Riad', 'リヤド'),
    ('TimeZoneDic', 23, 'Africa/Nairobi', 'Nairobi', '内罗毕', 'Nairobi', 'ナイロビ'),
    ('TimeZoneDic', 24, 'Asia/Tehran', 'Tehran', '德黑兰', 'Teherán', 'テヘラン'),
    ('TimeZoneDic', 25, 'Asia/Dubai', 'Dubai', '迪拜', 'Dubái', 'ドバイ'),
    ('TimeZoneDic', 26, 'Asia/Karachi', 'Karachi', '卡拉奇', 'Karachi', 'カラチ'),
    ('TimeZoneDic', 27, 'Asia/Kolkata', 'Mumbai, Delhi', '孟买、德里', 'Bombay, Delhi', 'ムンバイ、デリー'),
    ('TimeZoneDic', 28, 'Asia/Kathmandu', 'Kathmandu', '加德满都', 'Katmandú', 'カトマンズ'),
    ('TimeZoneDic', 29, 'Asia/Dhaka', 'Dhaka', '达卡', 'Daca', 'ダッカ'),
    ('TimeZoneDic', 30, 'Asia/Bangkok', 'Bangkok', '曼谷', 'Bangkok', 'バンコク'),
    ('TimeZoneDic', 31, 'Asia/Jakarta', 'Jakarta', '雅加达', 'Yakarta', 'ジャカルタ'),
    ('TimeZoneDic', 32, 'Asia/Shanghai', 'Beijing, Shanghai', '北京、上海', 'Pekín, Shanghái', '北京、上海'),
    ('TimeZoneDic', 33, 'Asia/Hong_Kong', 'Hong Kong', '香港', 'Hong Kong', '香港'),
    ('TimeZoneDic', 34, 'Asia/Singapore', 'Singapore', '新加坡', 'Singapur', 'シンガポール'),
    ('TimeZoneDic', 35, 'Asia/Tokyo', 'Tokyo', '东京', 'Tokio', '東京'),
    ('TimeZoneDic', 36, 'Asia/Seoul', 'Seoul', '首尔', 'Seúl', 'ソウル'),
    ('TimeZoneDic', 37, 'Australia/Adelaide', 'Adelaide', '阿德莱德', 'Adelaida', 'アデレード'),
    ('TimeZoneDic', 38, 'Australia/Sydney', 'Sydney', '悉尼', 'Sídney', 'シドニー'),
    ('TimeZoneDic', 39, 'Pacific/Auckland', 'Auckland', '奥克兰', 'Auckland', 'オークランド');
-- The same for everybody, and nobody's secret.
grant select on dict_standard to penstock_tenant, penstock_platform;

create function penstock_dictionaries(tenant bigint) returns void language sql as $$
    insert into dict ("EnterpriseId", "DictCode", "DictName", "IsSystem")
    values (tenant, 'CommonStatus', 'Status', 1), (tenant, 'YesOrNoDic', 'Yes or no', 1), (tenant, 'SceneoptionsDic', 'Scenes', 1), (tenant, 'DataSetDic', 'Data sets', 1), (tenant, 'TestDataTypeDic', 'Data types', 1), (tenant, 'TimeZoneDic', 'Time zones', 1)
    on conflict ("EnterpriseId", "DictCode") do nothing;
    insert into data_dict ("EnterpriseId", "DictId", "DataValue", "DataName", "NameZh", "NameEs", "NameJa", "Sort", "IsSystem")
    select tenant, d."Id", s."DataValue", s."NameEn", s."NameZh", s."NameEs", s."NameJa", s."Sort", 1
    from dict_standard s join dict d on d."EnterpriseId" = tenant and d."DictCode" = s."DictCode"
    on conflict ("EnterpriseId", "DictId", "DataValue") do nothing;
$$;
create function penstock_new_tenant_dictionaries() returns trigger language plpgsql as $$
begin
    perform penstock_dictionaries(new."Id");
    return null;
end $$;
create trigger enterprise_dictionaries after insert on enterprise for each row execute function penstock_new_tenant_dictionaries();
select penstock_dictionaries("Id") from enterprise;
select penstock_tenant_table('dict');
select penstock_tenant_table('data_dict');

-- Managers that are there already get what their tenants' new managers begin with; the codes stand in the contract's menu tree.
update role set "MenuCodes" = "MenuCodes" || array(
    select code from unnest(array['m10411', 'm10412', 'm10413', 'm10414', 'm10416']) menu,
        lateral (values (menu), (menu || '.add'), (menu || '.edit'), (menu || '.remove')) codes (code))
where "RouteRole" = 'admin' and not 'm10411' = any("MenuCodes");
update role set "MenuCodes" = "MenuCodes" || array['m10415', 'm10415.add', 'm10415.edit', 'm10415.remove']
where "IsPlatform" = 1 and not 'm10415' = any("MenuCodes");
