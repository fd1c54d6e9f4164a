import { docstring, literal, pascal, snake } from './python-names.mjs';

const REFERENCE = '#/components/schemas/';
/** Members that open something: a printed document leaves them out. */
const SECRETS = new Set(['grant', 'token']);

const HEAD = `"""The documents of the API. \`npm run references\` generates them from its OpenAPI document."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

T = TypeVar("T")

ANSWER = "answer"
"""The context in which answers are validated."""


class Document(BaseModel):
    """A document of the API. One that you write has no other members than these."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", populate_by_name=True, defer_build=True, protected_namespaces=()
    )


class OpenDocument(Document):
    """A document that may have further members."""

    model_config = ConfigDict(extra="allow")


def _or_newer(value: Any, known: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    try:
        return known(value)
    except ValidationError as error:
        if info.context != ANSWER or not _is_newer(error):
            raise
        if isinstance(value, dict):
            return OpenDocument.model_validate(value)
        if isinstance(value, (str, int)):
            return value
        raise


def _is_newer(error: ValidationError) -> bool:
    """Whether each known form lacks the value that tells it from the others, or a member if no value does."""
    errors = [(each["loc"][:1], each["type"]) for each in error.errors()]
    telling = "literal_error" if any(kind == "literal_error" for _, kind in errors) else "missing"
    return {form for form, _ in errors} == {form for form, kind in errors if kind == telling}


Known = Annotated[T, WrapValidator(_or_newer)]
"""The values or forms that this client knows. An answer of a newer Countersign may have another. A value stays as it is, and
a document is an \`\`OpenDocument\`\`.
"""

`;

/** The pydantic models of the schemas that operations refer to. A class is written once it is named. */
export class PythonModels {
  #schemas;
  #aliases = new Map();
  #unions = new Map();
  #classes = new Map();

  /** @param {Record<string, any>} schemas the components of the OpenAPI document. */
  constructor(schemas) {
    this.#schemas = schemas;
  }

  /**
   * The Python type of a schema.
   *
   * @param {Record<string, any>} schema
   * @param {string} name the name of its class, if it is an object without a name of its own.
   * @param {string} module before each name of a class, `models.`
   * @param {boolean} sent whether a caller gives it: then any mapping and any sequence will do.
   * @returns {string}
   */
  typeOf(schema, name, module = '', sent = false) {
    const of = (each, own = name) => this.typeOf(each, own, module, sent);
    const mapping = sent ? 'Mapping' : 'dict';
    if (schema.$ref !== undefined) return this.#named(schema.$ref.slice(REFERENCE.length), module, sent);
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) {
      const objects = variants.filter((each) => each.properties !== undefined);
      const types = variants.map((each) => of(each, objects.length > 1 ? name + variantName(each, objects) : name));
      return sent ? union(types) : withNewer(variants, types, module, (each) => this.followed(each).properties);
    }
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => of({ ...schema, type })));
    if (schema.enum !== undefined) {
      const values = `Literal[${schema.enum.map(literal).join(', ')}]`;
      // A value that stands alone tells the forms of a document apart.
      return sent || schema.enum.length === 1 ? values : `${module}Known[${values}]`;
    }
    switch (schema.type) {
      case 'null':
        return 'None';
      case 'boolean':
        return 'bool';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'string':
        if (schema.format !== 'date-time') return 'str';
        return sent ? 'datetime | str' : 'datetime';
      case 'array':
        return `${sent ? 'Sequence' : 'list'}[${of(schema.items, `${name}Item`)}]`;
      case 'object':
        if (schema.properties !== undefined) {
          const own = this.#class(name, schema);
          return sent ? `${module}${own} | Mapping[str, Any]` : `${module}${own}`;
        }
        return `${mapping}[str, ${of(schema.additionalProperties ?? {}, `${name}Value`)}]`;
      default:
        return 'Any';
    }
  }

  /** Whether a type is one class, by its name in this module or in `models`. */
  isClass(type) {
    return this.#classes.has(type.replace(/^models\./, ''));
  }

  /** The schema behind references. */
  followed(schema) {
    return schema.$ref === undefined ? schema : this.followed(this.#schemas[schema.$ref.slice(REFERENCE.length)]);
  }

  /** The module, once every operation has named its types. @returns {string} */
  get module() {
    const sorted = (parts) => [...parts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
    return [
      HEAD,
      ...sorted(this.#aliases),
      ...sorted(this.#classes).map(({ text }) => `\n\n${text}`),
      '\n\n',
      ...sorted(this.#unions),
    ]
      .join('')
      .replace(/\n+$/, '\n');
  }

  #named(name, module, sent) {
    if (name.startsWith('__')) return 'Any';
    const schema = this.#schemas[name];
    if (schema === undefined) throw new Error(`the document has no schema ${name}`);
    if (schema.properties !== undefined) return this.typeOf({ ...schema, type: 'object' }, name, module, sent);
    if (sent && schema.enum === undefined) return this.typeOf(schema, name, module, sent);
    const known = this.#aliases.has(name) || this.#unions.has(name);
    if (!known) {
      // A union of classes stands below the classes.
      const target = schema.enum === undefined ? this.#unions : this.#aliases;
      target.set(name, '');
      target.set(name, `${name}: TypeAlias = ${this.typeOf(schema, name)}\n`);
    }
    return `${module}${name}`;
  }

  /** The name of the class of an object: its own, or that of its place. Two objects never share one. */
  #class(fallback, schema) {
    const { properties } = schema;
    let name = fallback;
    for (let number = 2; ; number += 1) {
      const known = this.#classes.get(name)?.properties ?? this.#schemas[name]?.properties ?? properties;
      if (known === properties) break;
      name = `${fallback}${String(number)}`;
    }
    if (this.#classes.has(name)) return name;
    const written = { properties, text: '' };
    this.#classes.set(name, written);
    written.text = this.#classText(name, schema);
    return name;
  }

  #classText(name, schema) {
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).map(([key, member]) => this.#field(name, key, member, required));
    const open = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
    return [
      `class ${name}(${open ? 'OpenDocument' : 'Document'}):`,
      ...(schema.description === undefined ? [] : docstring('    ', [schema.description])),
      ...(fields.length === 0 && schema.description === undefined ? ['    pass'] : []),
      // Members that must be there come first, as Python wants its arguments.
      ...fields
        .sort((one, other) => Number(one.optional) - Number(other.optional))
        .flatMap(({ lines }, index) => [...(index === 0 && schema.description === undefined ? [] : ['']), ...lines]),
      '',
    ].join('\n');
  }

  #field(owner, key, member, required) {
    const type = this.typeOf(member, memberName(owner, key));
    const own = snake(key);
    const hasDefault = 'default' in member;
    const optional = hasDefault || !required.has(key);
    const value = hasDefault ? literal(member.default) : 'None';
    const about = [
      ...(optional ? [`default=${value}`] : []),
      ...(own === key ? [] : [`validation_alias=${literal(key)}`, `serialization_alias=${literal(key)}`]),
      ...(SECRETS.has(key) ? ['repr=False'] : []),
    ];
    const plain = own === key && !SECRETS.has(key);
    const given = plain ? value : `Field(${about.join(', ')})`;
    const shown = optional && !hasDefault ? union([type, 'None']) : type;
    const needsValue = optional || !plain;
    const description = member.description ?? this.followed(member).description;
    return {
      optional,
      lines: [
        `    ${own}: ${shown}${needsValue ? ` = ${given}` : ''}`,
        ...(description === undefined ? [] : docstring('    ', [description])),
      ],
    };
  }
}

/** The name of the class of a member; `PersonPageItem` is an item of `items` of `PersonPage`. */
export const memberName = (owner, key) => (key === 'items' ? owner : `${owner}${pascal(key)}`);

/** The union of the variants of an answer, of which a newer server may have a further one. */
function withNewer(variants, types, module, isDocument) {
  const documents = types.filter((_type, index) => isDocument(variants[index]));
  if (documents.length < 2) return union(types);
  return union([`${module}Known[${union(documents)}]`, ...types.filter((type) => !documents.includes(type))]);
}

const LAST = ['Mapping[str, Any]', 'str', 'Unset', 'None'];

/** Each type once: classes, then mappings in their place, and `None` last. */
export function union(types) {
  const parts = [...new Set(types.flatMap(partsOf))];
  if (parts.includes('Any')) return 'Any';
  return parts.sort((one, other) => LAST.indexOf(one) - LAST.indexOf(other)).join(' | ');
}

/** The members of a union that is written as text. */
function partsOf(type) {
  const parts = [];
  let depth = 0;
  for (const word of type.split(' | ')) {
    if (depth > 0) parts.push(`${parts.pop()} | ${word}`);
    else parts.push(word);
    depth += word.split('[').length - word.split(']').length;
  }
  return parts;
}

/** `Succeeded` of a variant with a member of that one value. The member has another value in each other variant. */
function variantName(variant, objects) {
  const { properties = {} } = variant;
  const key = Object.keys(properties).find((name) => {
    const values = objects.map((each) => each.properties?.[name]?.enum);
    return values.every((value) => value?.length === 1) && new Set(values.flat()).size === objects.length;
  });
  if (key !== undefined) return pascal(String(properties[key].enum[0]));
  return `Variant${String(objects.indexOf(variant) + 1)}`;
}
